import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import type { Optimization, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { OPTIMIZATION, optimizationQuery } from "../queries";
import { formDraftOf, requestOf, type OptimizationFormDraft } from "./optimization-form-draft";
import { OptimizationForm } from "./optimization-form";

export interface EditOptimizationPageProps {
  project: Project;
  optimizationId: string;
  onSaved: (optimizationId: string) => void;
}

interface EditFormProps {
  project: Project;
  optimization: Optimization;
  onSaved: (optimizationId: string) => void;
}

function EditForm({ project, optimization, onSaved }: EditFormProps) {
  const { t } = useTranslation();
  const { slug } = project;
  const { id, name, seed, config } = optimization;
  const replace = useChange(
    "put",
    OPTIMIZATION,
    { project: slug, optimization_id: id },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: OptimizationFormDraft) => {
    const body = requestOf(wanted);
    if (body !== null) {
      const saved = await replace.mutateAsync({ body });
      toast.success(t("optimizations.saved", { name: saved.name }));
      onSaved(id);
    }
  };
  const initial = formDraftOf({ ...config, name, seed, problems: [] });
  return (
    <OptimizationForm
      slug={slug}
      initial={initial}
      save={save}
      submitLabel={t("optimizations.save")}
    />
  );
}

/** Changes an optimization that has not started. */
export function EditOptimizationPage(props: EditOptimizationPageProps) {
  const { project, optimizationId, onSaved } = props;
  const { t } = useTranslation();
  const title = t("optimizations.edit");
  useDocumentTitle(title, project.name);
  const found = useQuery(optimizationQuery(project.slug, optimizationId));
  const mayEdit = can(project.role, "optimizations.edit") && project.archived_at === null;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/optimizations" slug={project.slug}>
        {t("optimizations.all")}
      </BackLink>
      <PageHeader title={title} description={t("optimizations.form.description")} />
      {found.data !== undefined ? (
        mayEdit && found.data.state === "draft" ? (
          <EditForm
            key={optimizationId}
            project={project}
            optimization={found.data}
            onSaved={onSaved}
          />
        ) : (
          <Alert tone="info" live={false}>
            {t("optimizations.notEditable")}
          </Alert>
        )
      ) : found.isPending ? (
        <FormSkeleton fields={6} />
      ) : (
        <ProblemState
          error={found.error}
          retrying={found.isFetching}
          onRetry={() => void found.refetch()}
        />
      )}
    </div>
  );
}
