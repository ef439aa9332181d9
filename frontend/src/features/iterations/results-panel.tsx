import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { useTranslation } from "react-i18next";
import { experimentQuery } from "@/api/experiments";
import { resultsQuery } from "@/api/run-results";
import type { Experiment, Iteration, IterationMetrics, Project } from "@/api/types";
import { ScoreTrend } from "@/components/charts/score-trend";
import { ProblemState } from "@/components/problem-state";
import { CriterionTable } from "@/components/results/criterion-table";
import { FacetMap } from "@/components/results/facet-map";
import { JudgesPanel } from "@/components/results/judges-panel";
import { Section } from "@/components/results/section";
import { WinMatrix } from "@/components/results/win-matrix";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { CriterionExplorer } from "./criterion-explorer";
import type { IterationView } from "./iteration-view";
import { Kpis } from "./kpis";
import { ModelTable } from "./model-table";
import { Notices } from "./notices";
import { NO_FILTERS, type OutputsView } from "./outputs/outputs-view";
import { isOver } from "./phases";
import { CaseSetSwitch, runOf } from "./run-answers";
import { Safety } from "./safety";
import { SplitTable } from "./split-table";

export interface ResultsPanelProps {
  project: Project;
  iteration: Iteration;
  view: IterationView;
  onViewChanged: (view: IterationView) => void;
}

function Trend({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const points = experiment.iterations.flatMap(({ number, version_label, metrics }) =>
    metrics === null
      ? []
      : [{ iteration: number, version_label, train: metrics.train, holdout: metrics.holdout }],
  );
  return points.length === 0 ? null : (
    <Section title={t("charts.trend.label")} hint={t("iterations.trendHint")}>
      <Card className="p-5">
        <ScoreTrend points={points} best={experiment.best?.iteration} />
      </Card>
    </Section>
  );
}

/** Detailed results of the training or holdout cases. */
function Analysis(props: ResultsPanelProps) {
  const { project, iteration, view, onViewChanged } = props;
  const { t } = useTranslation();
  const runId = runOf(iteration, view);
  const results = useQuery({
    ...resultsQuery(project.slug, runId ?? ""),
    enabled: runId !== null,
  });
  if (runId === null) {
    return null;
  }
  const show = (outputs: OutputsView) =>
    onViewChanged({ ...view, ...NO_FILTERS, case: undefined, ...outputs, tab: "outputs" });
  return (
    <section aria-label={t("iterations.analysis")} className="grid grid-cols-1 gap-10">
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-border pt-6">
        <h2 className="text-lg font-semibold tracking-tight">{t("iterations.analysis")}</h2>
        <CaseSetSwitch iteration={iteration} view={view} onViewChanged={onViewChanged} />
      </div>
      {results.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-72 rounded-lg" />
        </LoadingStatus>
      ) : null}
      {results.isError ? (
        <ProblemState error={results.error} onRetry={() => void results.refetch()} />
      ) : null}
      {results.data === undefined ? null : (
        <>
          <CriterionTable key={runId} results={results.data} />
          <CriterionExplorer slug={project.slug} results={results.data} onShown={show} />
          <FacetMap results={results.data} />
          <WinMatrix results={results.data} />
          <Safety
            results={results.data}
            onShown={(criterion) => show({ criterion, order: "worst", score: "0-2" })}
          />
          <JudgesPanel results={results.data} />
        </>
      )}
    </section>
  );
}

function Loaded(props: ResultsPanelProps & { metrics: IterationMetrics }) {
  const { project, iteration, metrics } = props;
  const experiment = useQuery(experimentQuery(project.slug, iteration.experiment_id)).data;
  return (
    <div className="grid grid-cols-1 gap-10">
      <div className="grid grid-cols-1 gap-6">
        <Notices iteration={iteration} metrics={metrics} pruned={experiment?.pruned ?? []} />
        <Kpis iteration={iteration} metrics={metrics} />
      </div>
      <SplitTable metrics={metrics} />
      <ModelTable metrics={metrics} />
      {experiment === undefined ? null : <Trend experiment={experiment} />}
      <Analysis {...props} />
    </div>
  );
}

/** Results of an iteration, once its scores are aggregated. */
export function ResultsPanel(props: ResultsPanelProps) {
  const { t } = useTranslation();
  const { state, metrics } = props.iteration;
  if (metrics === null) {
    return (
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={t("iterations.noResults.title")}
        description={t(isOver(state) ? "iterations.noResults.never" : "iterations.noResults.later")}
      />
    );
  }
  return <Loaded {...props} metrics={metrics} />;
}
