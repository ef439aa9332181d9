import { useCallback, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { RowFilter } from "@/api/run-rows";
import { isFinished } from "@/api/runs";
import type { Cell, RunDetail } from "@/api/types";
import { CellDialog } from "@/components/cell/cell-dialog";
import {
  missingReason,
  waitsOf,
  type Metric as CellMetric,
  type ResultColumn,
} from "@/components/grid/columns";
import { ResultsGrid } from "@/components/grid/results-grid";
import type { CaseInfo } from "@/components/grid/rows";
import { useRunGrid } from "@/components/grid/use-run-grid";
import { NoMatch } from "@/components/listing/no-match";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { can } from "@/lib/permissions";
import type { GridFilters, Metric } from "../session";
import { AddColumn } from "./add-column";
import { CaseDialog } from "./case-dialog";
import { CompareDialog } from "./compare-dialog";
import { GraderReasons } from "./grader-reasons";
import type { PlaygroundGridProps } from "./grid-props";
import { RowNumber } from "./row-number";
import { SHAPE } from "./shape";
import { useCellTools } from "./use-cell-tools";

export const CELL_METRICS: Record<Metric, CellMetric> = {
  grade: "score",
  tokens: "tokens",
  cost: "cost",
  latency: "time",
};

export interface RunGridProps extends PlaygroundGridProps {
  run: RunDetail;
  gridColumns: readonly ResultColumn[];
  onAdding: () => void;
}

/** Row filter of the API, sorted by the shown metric. */
function rowFilter({ sort, ...filters }: GridFilters, metric: Metric): RowFilter {
  return sort === undefined
    ? filters
    : { ...filters, sort: `${sort.isFalling ? "-" : ""}${metric}.${sort.variant}` };
}

type Opened = { cell: Cell } | { info: CaseInfo } | null;

/** Grid of a run with cell actions. */
export function RunGrid(props: RunGridProps) {
  const { project, run, filters, gridColumns, onOutputChanged } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const [opened, setOpened] = useState<Opened>(null);
  const { store, pages, stream } = useRunGrid(slug, run, rowFilter(filters, props.metric));
  const { total, error } = useSyncExternalStore(pages.subscribe, pages.getState);
  const canScore = can(project.role, "outputs.score") && project.archived_at === null;
  const open = useCallback((cell: Cell) => onOutputChanged(cell.id), [onOutputChanged]);
  const compare = useCallback((cell: Cell) => setOpened({ cell }), []);
  const { scorers } = run;
  const renderReasons = useCallback(
    (cell: Cell) => <GraderReasons slug={slug} outputId={cell.id} scorers={scorers} />,
    [slug, scorers],
  );
  const tools = useCellTools({
    ...{ slug, run, store, canScore, renderReasons },
    hasGrader: props.hasGrader,
    canRerun: props.canEdit && !props.isHistorical,
    onOpened: open,
    onCompared: compare,
  });
  const close = () => setOpened(null);
  const comparedRow =
    opened !== null && "cell" in opened ? store.get(opened.cell.case_position) : undefined;
  return (
    <>
      <p role="status" className="sr-only">
        {t(`runs.announce.${run.state}`)}
      </p>
      {stream === "polling" && !isFinished(run.state) ? (
        <Alert tone="info">{t("runs.slow")}</Alert>
      ) : null}
      {error === null ? null : <ProblemState error={error} onRetry={pages.refresh} />}
      {total === 0 ? (
        <NoMatch onFiltersCleared={props.onFiltersCleared} />
      ) : (
        <ResultsGrid
          label={t("playground.grid.label")}
          rowTitle={t("playground.grid.row")}
          summaryTitle={t("playground.grid.average")}
          className="min-h-0 flex-1"
          shape={SHAPE}
          columns={gridColumns}
          pages={pages}
          store={store}
          missing={missingReason(run.state)}
          waits={waitsOf(run)}
          metric={CELL_METRICS[props.metric]}
          tools={tools}
          RowHeader={RowNumber}
          onCellOpened={open}
          onRowOpened={(position) => {
            const info = store.get(position)?.info ?? null;
            setOpened(info === null ? null : { info });
          }}
          beside={props.canEdit ? <AddColumn onAdding={props.onAdding} /> : null}
        />
      )}
      {props.output === undefined ? null : (
        <CellDialog
          project={project}
          run={run}
          store={store}
          canRerun={props.canEdit && !props.isHistorical}
          outputId={props.output}
          onOutputChanged={onOutputChanged}
        />
      )}
      {opened !== null && "info" in opened ? (
        <CaseDialog info={opened.info} onClosed={close} />
      ) : null}
      {opened !== null && "cell" in opened && comparedRow !== undefined ? (
        <CompareDialog
          slug={slug}
          cell={opened.cell}
          row={comparedRow}
          columns={gridColumns}
          onClosed={close}
        />
      ) : null}
    </>
  );
}
