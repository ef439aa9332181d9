import { useQuery } from "@tanstack/react-query";
import { Split } from "lucide-react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import type { AbTest, Project } from "@/api/types";
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
import { AB_TEST, abTestQuery } from "../queries";
import { changesOf, draftOfTest, requestOf, START, type AbTestDraft } from "./ab-test-draft";
import { AbTestForm } from "./ab-test-form";

export interface NewAbTestPageProps {
  project: Project;
  onSaved: (testId: string) => void;
}

/** Only shown to members who may not edit. */
function AskEditor({ title }: { title: string }) {
  const { t } = useTranslation();
  return <EmptyState icon={<Split />} title={title} description={t("abTests.askEditor")} />;
}

function mayEdit({ role, archived_at }: Project): boolean {
  return can(role, "abTests.edit") && archived_at === null;
}

/** Creates an A/B test as a draft. */
export function NewAbTestPage({ project, onSaved }: NewAbTestPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const title = t("abTests.new");
  useDocumentTitle(title, project.name);
  const create = useChange(
    "post",
    "/projects/{project}/ab-tests",
    { project: slug },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: AbTestDraft) => {
    const body = requestOf(wanted);
    if (body !== null) {
      const made = await create.mutateAsync({ body });
      toast.success(t("abTests.created", { name: made.name }));
      onSaved(made.id);
    }
  };
  if (!mayEdit(project)) {
    return <AskEditor title={title} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/ab-tests" slug={slug}>
        {t("abTests.all")}
      </BackLink>
      <PageHeader title={title} description={t("abTests.form.description")} />
      <AbTestForm slug={slug} initial={START} submitLabel={t("abTests.form.create")} save={save} />
    </div>
  );
}

export interface EditAbTestPageProps extends NewAbTestPageProps {
  testId: string;
}

function EditForm({ project, test, onSaved }: NewAbTestPageProps & { test: AbTest }) {
  const { slug } = project;
  const { t } = useTranslation();
  useDocumentTitle(t("abTests.edit", { name: test.name }), project.name);
  const change = useChange(
    "patch",
    AB_TEST,
    { project: slug, ab_test_id: test.id },
    { also: [keys.budgets(slug)] },
  );
  const save = async (wanted: AbTestDraft, opened: AbTestDraft) => {
    const body = changesOf(opened, wanted);
    if (body !== null && Object.keys(body).length > 0) {
      await change.mutateAsync({ body });
      toast.success(t("abTests.saved", { name: wanted.name }));
    }
    onSaved(test.id);
  };
  return (
    <>
      <PageHeader
        title={t("abTests.edit", { name: test.name })}
        description={t("abTests.form.description")}
      />
      {test.state === "draft" ? (
        <AbTestForm
          slug={slug}
          initial={draftOfTest(test)}
          submitLabel={t("ui.save")}
          save={save}
        />
      ) : (
        <Alert tone="info" live={false}>
          {t("abTests.form.fixed")}
        </Alert>
      )}
    </>
  );
}

/** Changes a draft. */
export function EditAbTestPage({ project, testId, onSaved }: EditAbTestPageProps) {
  const { t } = useTranslation();
  const test = useQuery({ ...abTestQuery(project.slug, testId), refetchInterval: false });
  if (!mayEdit(project)) {
    return <AskEditor title={t("abTests.title")} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/ab-tests" slug={project.slug}>
        {t("abTests.all")}
      </BackLink>
      {test.data !== undefined ? (
        <EditForm key={testId} project={project} test={test.data} onSaved={onSaved} />
      ) : test.isPending ? (
        <FormSkeleton fields={6} />
      ) : (
        <ProblemState
          isPage
          error={test.error}
          retrying={test.isFetching}
          onRetry={() => void test.refetch()}
        />
      )}
    </div>
  );
}
