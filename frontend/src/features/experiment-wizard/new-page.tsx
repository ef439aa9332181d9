import { useQuery } from "@tanstack/react-query";
import { FlaskConical, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { templatesQuery } from "@/api/new-experiment";
import { problemMessage } from "@/api/problem-message";
import type { ExperimentTemplate, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { TemplateIcon } from "@/components/template-icon";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ModelsNotice } from "./models-notice";

const GRID = "grid gap-4 md:grid-cols-2";

export interface NewExperimentPageProps {
  project: Project;
  onExperimentCreated: (experimentId: string) => void;
}

interface TemplateButtonProps {
  name: string;
  description: string;
  isPending: boolean;
  isBlocked: boolean;
  onChosen: () => void;
  children: ReactNode;
  icon: ReactNode;
}

/** Card button for one way to start. */
function TemplateButton(props: TemplateButtonProps) {
  const { name, description, isPending, isBlocked, onChosen, children, icon } = props;
  return (
    <button
      type="button"
      aria-busy={isPending || undefined}
      aria-disabled={isBlocked || undefined}
      onClick={() => (isBlocked ? undefined : onChosen())}
      className="grid size-full min-w-0 content-start gap-3 rounded-xl border border-border bg-raised p-5 text-left transition-colors not-aria-disabled:hover:border-accent-solid aria-disabled:opacity-60"
    >
      <span className="flex items-center gap-2.5">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent-bg text-on-accent-bg [&_svg]:size-4">
          {isPending ? <Spinner /> : icon}
        </span>
        <span className="min-w-0 text-base font-semibold">{name}</span>
      </span>
      <span className="text-sm text-pretty text-ink-muted">{description}</span>
      {children}
    </button>
  );
}

function TemplateFacts({ template }: { template: ExperimentTemplate }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-1.5">
      {template.criteria.map((criterion) => (
        <Badge key={criterion}>{criterion}</Badge>
      ))}
      <Badge tone="outline">{t("wizard.new.cases", { count: template.cases })}</Badge>
    </span>
  );
}

function TemplateChoices({ project, onExperimentCreated }: NewExperimentPageProps) {
  const { t } = useTranslation();
  const templates = useQuery(templatesQuery(project.slug));
  const create = useChange("post", "/projects/{project}/experiments", { project: project.slug });
  const begin = (template: string | null) =>
    create.mutate(
      { body: template === null ? {} : { template } },
      { onSuccess: ({ id }) => onExperimentCreated(id) },
    );
  if (templates.isPending) {
    return (
      <LoadingStatus>
        <div className={GRID}>
          {[1, 2, 3, 4].map((number) => (
            <Skeleton key={number} className="h-40 rounded-xl" />
          ))}
        </div>
      </LoadingStatus>
    );
  }
  const isPendingFor = (template: string | null) =>
    create.isPending && (create.variables.body.template ?? null) === template;
  return (
    <div className="grid gap-4">
      {create.isError ? <Alert tone="danger">{problemMessage(create.error)}</Alert> : null}
      {templates.isError ? (
        <ProblemState error={templates.error} onRetry={() => void templates.refetch()} />
      ) : null}
      <ul aria-label={t("wizard.new.choices")} className={GRID}>
        {templates.data?.map((template) => (
          <li key={template.key}>
            <TemplateButton
              name={template.name}
              description={template.description}
              icon={<TemplateIcon template={template.key} />}
              isPending={isPendingFor(template.key)}
              isBlocked={create.isPending}
              onChosen={() => begin(template.key)}
            >
              <TemplateFacts template={template} />
            </TemplateButton>
          </li>
        ))}
        <li>
          <TemplateButton
            name={t("wizard.new.blank")}
            description={t("wizard.new.blankHint")}
            icon={<SquarePen aria-hidden />}
            isPending={isPendingFor(null)}
            isBlocked={create.isPending}
            onChosen={() => begin(null)}
          >
            {null}
          </TemplateButton>
        </li>
      </ul>
    </div>
  );
}

/** Starts an experiment from a template or from scratch. */
export function NewExperimentPage(props: NewExperimentPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("wizard.new.title"), project.name);
  if (!can(project.role, "experiments.edit") || project.archived_at !== null) {
    return (
      <EmptyState
        isPage
        icon={<FlaskConical />}
        title={t("wizard.new.title")}
        description={t("wizard.new.askEditor")}
      />
    );
  }
  return (
    <div className="grid gap-6">
      <BackLink to="/p/$slug/experiments" slug={project.slug}>
        {t("wizard.frame.all")}
      </BackLink>
      <PageHeader title={t("wizard.new.title")} description={t("wizard.new.description")} />
      <ModelsNotice project={project} />
      <TemplateChoices {...props} />
    </div>
  );
}
