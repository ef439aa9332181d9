import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { experimentQuery, iterationQuery } from "@/api/experiments";
import type { Iteration, Project } from "@/api/types";
import { IterationBadge } from "@/components/iteration-badge";
import { ProblemState } from "@/components/problem-state";
import { RunTrouble } from "@/components/run-trouble/run-trouble";
import { hasTrouble } from "@/components/run-trouble/trouble";
import { SimulatedBadge } from "@/components/simulated-badge";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { IterationActions } from "./iteration-actions";
import type { IterationTab, IterationView } from "./iteration-view";
import { OutputsPanel } from "./outputs/outputs-panel";
import { ProblemNote } from "./problem-note";
import { ProgressCard } from "./progress-card";
import { ResultsPanel } from "./results-panel";
import { RunAnswers } from "./run-answers";
import { SuggestionsBox } from "./suggestions-box";

export interface IterationPageProps {
  project: Project;
  experimentId: string;
  iterationId: string;
  view: IterationView;
  onViewChanged: (view: IterationView) => void;
}

interface LoadedProps extends IterationPageProps {
  iteration: Iteration;
}

function BackToExperiment({ slug, experimentId }: { slug: string; experimentId: string }) {
  const { t } = useTranslation();
  const name = useQuery(experimentQuery(slug, experimentId)).data?.name;
  return (
    <Link
      to="/p/$slug/experiments/$experimentId"
      params={{ slug, experimentId }}
      className="flex max-w-full items-center gap-1.5 justify-self-start rounded-sm text-xs text-ink-muted hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{name ?? t("iterations.back")}</span>
    </Link>
  );
}

function Description({ slug, iteration }: { slug: string; iteration: Iteration }) {
  const { t } = useTranslation();
  const promptId = useQuery(experimentQuery(slug, iteration.experiment_id)).data?.prompt_id ?? null;
  const { ended_at, created_at, version_label } = iteration;
  const version = t("iterations.tests", { version: version_label });
  return (
    <>
      {promptId === null ? (
        version
      ) : (
        <Link
          to="/p/$slug/prompts/$promptId"
          params={{ slug, promptId }}
          className="rounded-sm hover:text-accent-ink hover:underline"
        >
          {version}
        </Link>
      )}
      {" · "}
      {ended_at === null ? t("iterations.started") : t("iterations.ended")}{" "}
      <RelativeTime iso={ended_at ?? created_at} />
    </>
  );
}

function Header(props: LoadedProps) {
  const { project, experimentId, iterationId, iteration } = props;
  const { t } = useTranslation();
  const isSimulated = iteration.metrics?.variants.some((variant) => variant.is_simulated) ?? false;
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  return (
    <div className="grid gap-2">
      <BackToExperiment slug={project.slug} experimentId={experimentId} />
      <PageHeader
        title={t("iterations.title", { number: iteration.number })}
        badges={
          <>
            <IterationBadge state={iteration.state} />
            {isSimulated ? <SimulatedBadge /> : null}
          </>
        }
        description={<Description slug={project.slug} iteration={iteration} />}
        actions={
          editable ? (
            <IterationActions
              place={{ slug: project.slug, experimentId, iterationId }}
              iteration={iteration}
            />
          ) : null
        }
      />
    </div>
  );
}

/** Results by default, once there are some. */
function tabOf(view: IterationView, { metrics }: Iteration): IterationTab {
  const hasResults = metrics !== null && metrics.failed < metrics.answers;
  return view.tab ?? (hasResults ? "results" : "live");
}

function LoadedIteration(props: LoadedProps) {
  const { project, iteration, view, onViewChanged } = props;
  const { t } = useTranslation();
  const part = { project, iteration, view, onViewChanged };
  const tab = tabOf(view, iteration);
  return (
    <div className="grid grid-cols-1 gap-6">
      <Header {...props} />
      <p role="status" className="sr-only">
        {t(`iterations.announce.${iteration.state}`)}
      </p>
      <ProblemNote project={project} iteration={iteration} />
      {iteration.run_id !== null && hasTrouble(iteration) ? (
        <RunTrouble slug={project.slug} runId={iteration.run_id} />
      ) : null}
      <SuggestionsBox project={project} iteration={iteration} />
      <Tabs
        label={t("iterations.tabs.label")}
        value={tab}
        keepOpened
        onValueChanged={(next) => onViewChanged({ ...view, tab: next, output: undefined })}
        tabs={[
          {
            value: "live",
            label: t("iterations.tabs.live"),
            content: (
              <div className="grid grid-cols-1 gap-6">
                <ProgressCard iteration={iteration} />
                <RunAnswers {...part} />
              </div>
            ),
          },
          {
            value: "results",
            label: t("iterations.tabs.results"),
            content: <ResultsPanel {...part} />,
          },
          {
            value: "outputs",
            label: t("iterations.tabs.outputs"),
            content: <OutputsPanel {...part} isActive={tab === "outputs"} />,
          },
        ]}
      />
    </div>
  );
}

function IterationSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

/** Page of an iteration, during and after its work. */
export function IterationPage(props: IterationPageProps) {
  const { project, experimentId, iterationId } = props;
  const { t } = useTranslation();
  const iteration = useQuery(iterationQuery(project.slug, experimentId, iterationId));
  useDocumentTitle(
    iteration.data === undefined ? null : t("iterations.title", { number: iteration.data.number }),
    project.name,
  );
  if (iteration.data !== undefined) {
    return <LoadedIteration key={iterationId} {...props} iteration={iteration.data} />;
  }
  if (iteration.isPending) {
    return <IterationSkeleton />;
  }
  return (
    <ProblemState
      isPage
      error={iteration.error}
      retrying={iteration.isFetching}
      onRetry={() => void iteration.refetch()}
    />
  );
}
