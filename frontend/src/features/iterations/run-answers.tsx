import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isFinished, runQuery } from "@/api/runs";
import type { Iteration, Project, RunDetail } from "@/api/types";
import { CellDialog } from "@/components/cell/cell-dialog";
import { AnswersPanel } from "@/components/grid/answers-panel";
import { useRunGrid } from "@/components/grid/use-run-grid";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/segmented";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { CASE_SETS, type IterationView } from "./iteration-view";

interface ViewProps {
  view: IterationView;
  onViewChanged: (view: IterationView) => void;
}

/** The run of the chosen case set. */
export function runOf(
  iteration: Pick<Iteration, "run_id" | "holdout_run_id">,
  view: IterationView,
): string | null {
  return view.cases === "holdout" && iteration.holdout_run_id !== null
    ? iteration.holdout_run_id
    : iteration.run_id;
}

/** Renders nothing without holdout cases. */
export function CaseSetSwitch({
  iteration,
  view,
  onViewChanged,
}: ViewProps & { iteration: Iteration }) {
  const { t } = useTranslation();
  return iteration.holdout_run_id === null ? null : (
    <Segmented
      label={t("iterations.cases.label")}
      value={view.cases ?? "train"}
      options={CASE_SETS.map((value) => ({ value, label: t(`iterations.cases.${value}`) }))}
      onValueChanged={(cases) =>
        onViewChanged({
          ...view,
          cases: cases === "train" ? undefined : cases,
          output: undefined,
        })
      }
    />
  );
}

interface LoadedProps extends ViewProps {
  project: Project;
  run: RunDetail;
}

function LoadedAnswers({ project, run, view, onViewChanged }: LoadedProps) {
  const { t } = useTranslation();
  const { store, pages, stream } = useRunGrid(project.slug, run, {
    status: view.status,
    q: view.q,
  });
  return (
    <>
      {stream === "polling" && !isFinished(run.state) ? (
        <Alert tone="info">{t("runs.slow")}</Alert>
      ) : null}
      <AnswersPanel
        run={run}
        store={store}
        pages={pages}
        view={view}
        onViewChanged={(shown) => onViewChanged({ ...view, ...shown })}
      />
      {view.output === undefined ? null : (
        <CellDialog
          project={project}
          run={run}
          store={store}
          outputId={view.output}
          // Re-runs would change the iteration's scores.
          canRerun={false}
          onOutputChanged={(output) => onViewChanged({ ...view, output })}
        />
      )}
    </>
  );
}

export interface RunAnswersProps extends ViewProps {
  project: Project;
  iteration: Iteration;
}

/** Live answers of the training or holdout cases. */
export function RunAnswers(props: RunAnswersProps) {
  const { project, iteration, view } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const runId = runOf(iteration, view);
  const run = useQuery({ ...runQuery(slug, runId ?? ""), enabled: runId !== null });
  if (runId === null) {
    return null;
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CaseSetSwitch {...props} />
        <Button asChild size="sm" variant="ghost" className="ml-auto">
          <Link to="/p/$slug/runs/$runId" params={{ slug, runId }}>
            <ExternalLink aria-hidden />
            {t("iterations.openRun")}
          </Link>
        </Button>
      </div>
      {run.data !== undefined ? (
        <LoadedAnswers key={runId} {...props} run={run.data} />
      ) : run.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-96 rounded-lg" />
        </LoadingStatus>
      ) : (
        <ProblemState error={run.error} onRetry={() => void run.refetch()} />
      )}
    </div>
  );
}
