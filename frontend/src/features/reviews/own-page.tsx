import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { experimentQuery } from "@/api/experiments";
import { versionQuery } from "@/api/prompts";
import type { Experiment, IterationSummary, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { OwnForm } from "./own-form";
import { OtherActions, NoSuggestionReason } from "./own-actions";

export interface OwnPageProps {
  project: Project;
  experimentId: string;
  onProposed: (suggestionId: string) => void;
}

interface WaitingProps extends OwnPageProps {
  experiment: Experiment;
  iteration: IterationSummary;
}

function NotAwaitingReview({ project, experiment }: { project: Project; experiment: Experiment }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      isPage
      icon={<CircleCheck />}
      title={t("reviews.own.notWaiting")}
      description={t("reviews.own.notWaitingHint")}
      action={
        <Button asChild variant="secondary">
          <Link
            to="/p/$slug/experiments/$experimentId"
            params={{ slug: project.slug, experimentId: experiment.id }}
          >
            {t("reviews.own.toExperiment")}
          </Link>
        </Button>
      }
    />
  );
}

function Waiting({ project, experiment, iteration, onProposed }: WaitingProps) {
  const { slug } = project;
  const version = useQuery({
    ...versionQuery(slug, experiment.prompt_id ?? "", iteration.version_id ?? ""),
    enabled: experiment.prompt_id !== null && iteration.version_id !== null,
  });
  const place = { slug, experimentId: experiment.id, iterationId: iteration.id };
  const canAct = can(project.role, "reviews.decide") && project.archived_at === null;
  return (
    <>
      <NoSuggestionReason iteration={iteration} />
      <OtherActions project={project} iteration={iteration} place={place} />
      {version.isError ? <ProblemState error={version.error} /> : null}
      {version.isPending && canAct ? <FormSkeleton fields={3} /> : null}
      {version.data !== undefined && canAct ? (
        <OwnForm place={place} version={version.data} onProposed={onProposed} />
      ) : null}
    </>
  );
}

/** Page to write an edit for an iteration without usable suggestions. */
export function OwnPage(props: OwnPageProps) {
  const { project, experimentId } = props;
  const { t } = useTranslation();
  const found = useQuery(experimentQuery(project.slug, experimentId));
  useDocumentTitle(t("reviews.own.title"), found.data?.name, project.name);
  if (found.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (found.isError) {
    return <ProblemState isPage error={found.error} onRetry={() => void found.refetch()} />;
  }
  const experiment = found.data;
  const iteration = experiment.iterations.find(({ state }) => state === "reviewing");
  return (
    <div className="grid grid-cols-1 gap-5">
      <BackLink to="/p/$slug/reviews" slug={project.slug}>
        {t("reviews.back")}
      </BackLink>
      <PageHeader
        title={t("reviews.own.title")}
        description={
          iteration === undefined
            ? experiment.name
            : t("reviews.own.place", { name: experiment.name, number: iteration.number })
        }
      />
      {iteration === undefined ? (
        <NotAwaitingReview project={project} experiment={experiment} />
      ) : (
        <Waiting {...props} experiment={experiment} iteration={iteration} />
      )}
    </div>
  );
}
