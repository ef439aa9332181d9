import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { experimentQuery } from "@/api/experiments";
import type { Experiment, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ScoreTrend } from "@/components/charts/score-trend";
import { ImproveMenu } from "@/components/improve-menu";
import { ProblemState } from "@/components/problem-state";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { RunTrouble } from "@/components/run-trouble/run-trouble";
import { hasTrouble } from "@/components/run-trouble/trouble";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { CommandMenu } from "@/components/ui/command-menu";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ActivityCard } from "./activity-card";
import { BestCard } from "./best-card";
import { ConfigurationCard } from "./configuration-card";
import { FinishExperimentDialog } from "./experiment-dialogs";
import { ExperimentSkeleton } from "./experiment-skeleton";
import { IterationTable } from "./iteration-table";
import { LineageCard } from "./lineage-card";
import { NextStepCard } from "./next-step";
import { OverviewFigures } from "./overview-figures";
import { StateBadge } from "./state-badge";
import { useExperimentCommands, type ExperimentEvents } from "./use-experiment-commands";

export interface ExperimentPageProps extends ExperimentEvents {
  project: Project;
  experimentId: string;
  onIterationOpened: (iterationId: string) => void;
  onLeft: () => void;
}

interface LoadedProps extends ExperimentPageProps {
  experiment: Experiment;
}

const FINISHABLE: readonly Experiment["state"][] = ["ready", "failed", "reviewing"];

function Header(props: LoadedProps & { editable: boolean }) {
  const { project, experiment, editable } = props;
  const { t } = useTranslation();
  const [isFinishing, setFinishing] = useState(false);
  const { commandsOf, dialog } = useExperimentCommands(project.slug, props, props.onLeft);
  const mayFinish =
    editable && experiment.archived_at === null && FINISHABLE.includes(experiment.state);
  return (
    <>
      <PageHeader
        title={experiment.name}
        badges={
          <>
            <StateBadge state={experiment.state} />
            {experiment.is_simulated ? <SimulatedBadge /> : null}
            {experiment.archived_at === null ? null : <ArchivedBadge />}
          </>
        }
        description={
          <>
            {experiment.author === null
              ? t("experiments.by.formerMember")
              : t("experiments.by.createdBy", { name: experiment.author })}{" "}
            <RelativeTime iso={experiment.created_at} />
          </>
        }
        actions={
          <>
            {mayFinish && experiment.iteration_count > 0 ? (
              <Button variant="secondary" onClick={() => setFinishing(true)}>
                {t("experiments.finish.action")}
              </Button>
            ) : null}
            {editable && experiment.archived_at === null && experiment.prompt_id !== null ? (
              <ImproveMenu slug={project.slug} source={{ experiment: experiment.id }} />
            ) : null}
            <CommandMenu
              label={t("lists.menu", { name: experiment.name })}
              commands={commandsOf(experiment, editable)}
            />
          </>
        }
      />
      {dialog}
      {isFinishing ? (
        <FinishExperimentDialog
          slug={project.slug}
          experiment={experiment}
          onClosed={() => setFinishing(false)}
        />
      ) : null}
    </>
  );
}

function Trend({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const points = experiment.iterations.flatMap(({ number, version_label, metrics }) =>
    metrics === null
      ? []
      : [{ iteration: number, version_label, train: metrics.train, holdout: metrics.holdout }],
  );
  return (
    <Card aria-label={t("charts.trend.label")} className="min-w-0">
      <CardHeader title={t("charts.trend.label")} />
      <CardContent>
        <ScoreTrend points={points} best={experiment.best?.iteration} />
      </CardContent>
    </Card>
  );
}

function LoadedExperiment(props: LoadedProps) {
  const { project, experiment } = props;
  const { slug } = project;
  const { t } = useTranslation();
  useDocumentTitle(experiment.name, project.name);
  const isOpen = project.archived_at === null;
  const editable = can(project.role, "experiments.edit") && isOpen;
  const hasIterations = experiment.iterations.length > 0;
  // When no iteration worked, the latest shows why.
  const troubled = experiment.iterations.every(hasTrouble)
    ? (experiment.iterations.at(-1)?.run_id ?? null)
    : null;
  const isMeasured = experiment.iterations.some(({ metrics }) =>
    [metrics?.train, metrics?.holdout].some((mean) => mean != null && mean.value !== null),
  );
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/experiments" slug={slug}>
        {t("experiments.all")}
      </BackLink>
      <Header {...props} editable={editable} />
      <p role="status" className="sr-only">
        {t(`experiments.states.${experiment.state}`)}
      </p>
      {troubled === null ? null : <RunTrouble slug={slug} runId={troubled} />}
      <NextStepCard
        slug={slug}
        experiment={experiment}
        editable={editable}
        mayReview={can(project.role, "reviews.decide") && isOpen}
        onIterationOpened={props.onIterationOpened}
      />
      {hasIterations ? <OverviewFigures experiment={experiment} /> : null}
      {isMeasured ? (
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <Trend experiment={experiment} />
          <BestCard slug={slug} experiment={experiment} />
        </div>
      ) : null}
      {hasIterations ? <IterationTable slug={slug} experiment={experiment} /> : null}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="grid gap-6">
          <LineageCard slug={slug} experiment={experiment} />
          <ActivityCard slug={slug} experimentId={experiment.id} />
        </div>
        <ConfigurationCard slug={slug} experiment={experiment} editable={editable} />
      </div>
    </div>
  );
}

/** Experiment overview: state, results and configuration. */
export function ExperimentPage(props: ExperimentPageProps) {
  const experiment = useQuery(experimentQuery(props.project.slug, props.experimentId));
  if (experiment.data !== undefined) {
    return <LoadedExperiment {...props} experiment={experiment.data} />;
  }
  if (experiment.isPending) {
    return <ExperimentSkeleton />;
  }
  return (
    <ProblemState
      isPage
      error={experiment.error}
      retrying={experiment.isFetching}
      onRetry={() => void experiment.refetch()}
    />
  );
}
