import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import type { OptimizationDraft, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import type { FormSource } from "../optimization-view";
import { draftQuery } from "../queries";
import { formDraftOf, requestOf, type OptimizationFormDraft } from "./optimization-form-draft";
import { OptimizationForm } from "./optimization-form";

export interface NewOptimizationPageProps {
  project: Project;
  /** What the form is filled from. */
  source: FormSource;
  onSaved: (optimizationId: string) => void;
}

function NewForm(props: Omit<NewOptimizationPageProps, "source"> & { draft: OptimizationDraft }) {
  const { project, draft, onSaved } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const create = useChange(
    "post",
    "/projects/{project}/optimizations",
    { project: slug },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: OptimizationFormDraft) => {
    const body = requestOf(wanted);
    if (body !== null) {
      const made = await create.mutateAsync({ body });
      toast.success(t("optimizations.created", { name: made.name }));
      onSaved(made.id);
    }
  };
  const problems = draft.problems ?? [];
  return (
    <>
      {problems.length === 0 ? null : (
        <Alert tone="info" live={false}>
          {problems.join(" ")}
        </Alert>
      )}
      <OptimizationForm slug={slug} initial={formDraftOf(draft)} save={save} />
    </>
  );
}

/** Creates an optimization as a draft, filled from a prompt, a run, an experiment or another one. */
export function NewOptimizationPage({ project, source, onSaved }: NewOptimizationPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const title = t("optimizations.new");
  useDocumentTitle(title, project.name);
  const mayEdit = can(project.role, "optimizations.edit") && project.archived_at === null;
  const draft = useQuery({ ...draftQuery(slug, source), enabled: mayEdit });
  if (!mayEdit) {
    return (
      <EmptyState
        isPage
        icon={<Sparkles />}
        title={title}
        description={t("optimizations.empty.askEditor")}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/optimizations" slug={slug}>
        {t("optimizations.all")}
      </BackLink>
      <PageHeader title={title} description={t("optimizations.form.description")} />
      {draft.data !== undefined ? (
        <NewForm project={project} draft={draft.data} onSaved={onSaved} />
      ) : draft.isPending ? (
        <FormSkeleton fields={6} />
      ) : (
        <ProblemState
          error={draft.error}
          retrying={draft.isFetching}
          onRetry={() => void draft.refetch()}
        />
      )}
    </div>
  );
}
