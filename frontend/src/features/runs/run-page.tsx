import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isFinished, runQuery } from "@/api/runs";
import type { Project, RunDetail } from "@/api/types";
import { CellDialog } from "@/components/cell/cell-dialog";
import { AnswersPanel } from "@/components/grid/answers-panel";
import { useRunGrid } from "@/components/grid/use-run-grid";
import { ProblemState } from "@/components/problem-state";
import { isMostlyUnusable } from "@/components/run-trouble/trouble";
import { TroublePanel } from "@/components/run-trouble/trouble-panel";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { formatNumber } from "@/lib/format";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ReplayResult } from "./replay-result";
import { RunActions } from "./run-actions";
import { RunLinks } from "./run-links";
import { RunProgressCard } from "./run-progress-card";
import { shownState } from "./run-state";
import { RESULTS_PARTS, type ResultsPart, type RunView } from "./run-view";
import { StateBadge } from "./state-badge";

export interface RunPageProps {
  project: Project;
  runId: string;
  view: RunView;
  onViewChanged: (view: RunView) => void;
  /** Statistics of the run, shown in tabs of their own. */
  results: (part: ResultsPart) => ReactNode;
  onRunOpened: (runId: string) => void;
  onLeft: () => void;
}

interface LoadedProps extends RunPageProps {
  run: RunDetail;
}

function Description({ slug, run }: { slug: string; run: RunDetail }) {
  const { t } = useTranslation();
  const size = [
    t("runs.size.cases", { count: run.case_count }),
    t("runs.size.variants", { count: run.variant_count }),
    run.repeats > 1 ? t("runs.size.repeats", { count: run.repeats }) : null,
  ];
  return (
    <>
      {run.dataset_name === null ? null : (
        <>
          {run.dataset_id === null ? (
            run.dataset_name
          ) : (
            <Link
              to="/p/$slug/datasets/$datasetId"
              params={{ slug, datasetId: run.dataset_id }}
              className="rounded-sm hover:text-accent-ink hover:underline"
            >
              {run.dataset_name}
            </Link>
          )}
          {" · "}
        </>
      )}
      {size.filter(Boolean).join(" · ")}
      {" · "}
      {run.author === null
        ? t("runs.by.started")
        : t("runs.by.startedBy", { name: run.author.name })}{" "}
      <RelativeTime iso={run.created_at} />
    </>
  );
}

function Header(props: LoadedProps) {
  const { project, run } = props;
  const { t } = useTranslation();
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  return (
    <PageHeader
      title={run.name}
      badges={
        <>
          <StateBadge run={run} />
          {run.is_simulated ? <SimulatedBadge /> : null}
          {run.redaction === null ? null : <Badge>{t("runs.redacted")}</Badge>}
          {run.origin === "imported" ? <Badge>{t("runs.origins.imported")}</Badge> : null}
          {run.replay_of_id === null ? null : <Badge>{t("runs.replay.badge")}</Badge>}
          {run.is_kept ? <Badge>{t("runs.keep.badge")}</Badge> : null}
          {run.archived_at === null ? null : <Badge>{t("lists.statuses.archived")}</Badge>}
        </>
      }
      description={<Description slug={project.slug} run={run} />}
      actions={
        <>
          <RunLinks slug={project.slug} run={run} view={props.view} />
          {editable ? (
            <RunActions
              slug={project.slug}
              run={run}
              onRunOpened={props.onRunOpened}
              onDeleted={props.onLeft}
              isRescoring={props.view.rescore === true}
              onRescoreClosed={() => props.onViewChanged({ ...props.view, rescore: undefined })}
            />
          ) : null}
        </>
      }
    />
  );
}

/** Why the run is stopped, as the server's message, or that most of its answers failed. */
function Reason({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  if (run.state === "completed" && shownState(run) === "failed") {
    const counts = { failed: formatNumber(run.error_count), total: formatNumber(run.cell_count) };
    return (
      <Alert tone="danger">
        {run.error_count === run.cell_count
          ? t("runs.allFailed", { count: run.cell_count })
          : t("runs.mostlyFailed", counts)}
      </Alert>
    );
  }
  if (run.state === "completed" && isMostlyUnusable(run)) {
    const counts = { count: run.malformed_count, total: formatNumber(run.cell_count) };
    return <Alert tone="warning">{t("runs.mostlyMalformed", counts)}</Alert>;
  }
  if (run.state === "cancelled") {
    const counts = { done: formatNumber(run.done_count), total: formatNumber(run.cell_count) };
    return <Alert tone="warning">{t("runs.cancelled", counts)}</Alert>;
  }
  if (run.message === null || !(run.state === "paused" || run.state === "failed")) {
    return null;
  }
  return <Alert tone={run.state === "failed" ? "danger" : "warning"}>{run.message}</Alert>;
}

function LoadedRun(props: LoadedProps) {
  const { project, run, view, onViewChanged, results } = props;
  const { t } = useTranslation();
  useDocumentTitle(run.name, project.name);
  const { store, pages, stream } = useRunGrid(project.slug, run, {
    status: view.status,
    q: view.q,
  });
  return (
    <div className="grid grid-cols-1 gap-6">
      <Header {...props} />
      <p role="status" className="sr-only">
        {t(`runs.announce.${shownState(run)}`)}
      </p>
      {stream === "polling" && !isFinished(run.state) ? (
        <Alert tone="info">{t("runs.slow")}</Alert>
      ) : null}
      <Reason run={run} />
      {run.replay_of_id === null || !isFinished(run.state) ? null : (
        <ReplayResult slug={project.slug} run={run} />
      )}
      {isMostlyUnusable(run) && isFinished(run.state) ? (
        <TroublePanel
          slug={project.slug}
          runId={run.id}
          total={run.cell_count}
          onOutputOpened={(output) => onViewChanged({ ...view, output })}
        />
      ) : null}
      <RunProgressCard slug={project.slug} run={run} />
      <Tabs
        label={t("runs.tabs.label")}
        value={view.tab ?? "answers"}
        keepOpened
        onValueChanged={(tab) =>
          onViewChanged({ ...view, tab: tab === "answers" ? undefined : tab })
        }
        tabs={[
          {
            value: "answers",
            label: t("runs.tabs.answers"),
            content: (
              <AnswersPanel
                run={run}
                store={store}
                pages={pages}
                view={view}
                onViewChanged={(shown) => onViewChanged({ ...view, ...shown })}
              />
            ),
          },
          ...RESULTS_PARTS.map((part) => ({
            value: part,
            label: t(`runs.tabs.${part}`),
            content: results(part),
          })),
        ]}
      />
      {view.output === undefined ? null : (
        <CellDialog
          project={project}
          run={run}
          store={store}
          outputId={view.output}
          onOutputChanged={(output) => onViewChanged({ ...view, output })}
        />
      )}
    </div>
  );
}

function RunSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-72" />
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
    </LoadingStatus>
  );
}

/** Page of a run, during and after its work. */
export function RunPage(props: RunPageProps) {
  const { project, runId } = props;
  const run = useQuery(runQuery(project.slug, runId));
  if (run.data !== undefined) {
    return <LoadedRun key={runId} {...props} run={run.data} />;
  }
  if (run.isPending) {
    return <RunSkeleton />;
  }
  return (
    <ProblemState
      isPage
      error={run.error}
      retrying={run.isFetching}
      onRetry={() => void run.refetch()}
    />
  );
}
