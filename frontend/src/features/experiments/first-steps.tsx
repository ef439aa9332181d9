import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, FlaskConical, GitPullRequestArrow, Plus, Scale, Target } from "lucide-react";
import { useTranslation } from "react-i18next";
import { templatesQuery } from "@/api/new-experiment";
import { problemMessage } from "@/api/problem-message";
import type { ExperimentTemplate } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { TemplateIcon } from "@/components/template-icon";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { CardGridSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

const STEPS = [
  { key: "objective", Icon: Target },
  { key: "measure", Icon: Scale },
  { key: "review", Icon: GitPullRequestArrow },
] as const;

function HowItWorks() {
  const { t } = useTranslation();
  return (
    <ol className="grid gap-4 text-left sm:grid-cols-3">
      {STEPS.map(({ key, Icon }, index) => (
        <li key={key} className="grid content-start gap-2 rounded-lg bg-surface p-4">
          <span className="flex items-center gap-2 text-sm font-semibold">
            <Icon aria-hidden className="size-4 text-accent-ink" />
            {index + 1}. {t(`experiments.empty.steps.${key}.title`)}
          </span>
          <span className="text-sm text-ink-muted">{t(`experiments.empty.steps.${key}.body`)}</span>
        </li>
      ))}
    </ol>
  );
}

interface TemplateCardProps {
  template: ExperimentTemplate;
  busy: boolean;
  onChosen: () => void;
}

function TemplateCard({ template, busy, onChosen }: TemplateCardProps) {
  const { t } = useTranslation();
  return (
    <Card className="flex flex-col gap-3 p-5">
      <h3 className="flex items-center gap-2 text-sm font-semibold">
        <TemplateIcon template={template.key} className="size-4 shrink-0 text-accent-ink" />
        {template.name}
      </h3>
      <p className="text-sm text-ink-muted">{template.description}</p>
      <p className="flex flex-wrap gap-1.5">
        {template.criteria.map((name) => (
          <Badge key={name}>{name}</Badge>
        ))}
        <Badge tone="outline">{t("experiments.empty.cases", { count: template.cases })}</Badge>
      </p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-auto self-start"
        loading={busy}
        aria-label={t("experiments.empty.useNamed", { name: template.name })}
        onClick={onChosen}
      >
        {t("experiments.empty.use")}
        <ArrowRight aria-hidden />
      </Button>
    </Card>
  );
}

function Templates({ slug, onCreated }: { slug: string; onCreated: (id: string) => void }) {
  const { t } = useTranslation();
  const templates = useQuery(templatesQuery(slug));
  const create = useChange("post", "/projects/{project}/experiments", { project: slug });
  if (templates.isPending) {
    return <CardGridSkeleton count={4} />;
  }
  if (templates.isError) {
    return <ProblemState error={templates.error} onRetry={() => void templates.refetch()} />;
  }
  return (
    <section aria-label={t("experiments.empty.templates")} className="grid gap-3">
      <h2 className="text-base font-semibold">{t("experiments.empty.templates")}</h2>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        {templates.data.map((template) => (
          <TemplateCard
            key={template.key}
            template={template}
            busy={create.isPending && create.variables.body.template === template.key}
            onChosen={() =>
              create.mutate(
                { body: { template: template.key } },
                {
                  onSuccess: ({ id }) => onCreated(id),
                  onError: (error) => toast.error(problemMessage(error)),
                },
              )
            }
          />
        ))}
      </div>
    </section>
  );
}

export interface FirstStepsProps {
  slug: string;
  editable: boolean;
  onCreated: (experimentId: string) => void;
}

/** Empty state of the experiments list: explanation and templates. */
export function FirstSteps({ slug, editable, onCreated }: FirstStepsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-8">
      <EmptyState
        icon={<FlaskConical />}
        title={t("experiments.empty.title")}
        description={t(editable ? "experiments.empty.body" : "experiments.empty.askEditor")}
        action={
          <div className="grid max-w-4xl gap-6">
            <HowItWorks />
            {editable ? (
              <Button asChild className="justify-self-center">
                <Link to="/p/$slug/experiments/new" params={{ slug }}>
                  <Plus aria-hidden />
                  {t("experiments.empty.action")}
                </Link>
              </Button>
            ) : null}
          </div>
        }
      />
      {editable ? <Templates slug={slug} onCreated={onCreated} /> : null}
    </div>
  );
}
