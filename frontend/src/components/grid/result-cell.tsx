import type { TFunction } from "i18next";
import { memo } from "react";
import type { Cell } from "@/api/types";
import { CellActions } from "./cell-actions";
import { CellBadge } from "./cell-badge";
import { CellMarks } from "./cell-marks";
import { CellDraft, CellText, MissingCell } from "./cell-text";
import type { CellTools } from "./cell-tools";
import type { Metric, Missing, Wait } from "./columns";

const BACKGROUNDS: Record<Cell["status"], string> = {
  ok: "cursor-pointer hover:bg-surface",
  error: "cursor-pointer inset-ring inset-ring-danger/60 hover:bg-surface",
  malformed: "cursor-pointer bg-warning-bg/50 hover:bg-warning-bg",
};
/** Concatenated by hand: merging classes is slower than rendering the rest of a cell. */
const CELL =
  "absolute inset-y-0 overflow-hidden border-r border-border px-3 py-2.5 text-sm -outline-offset-2 ";

const STACK = "flex h-full flex-col gap-1";

/** Interaction state of a cell. */
export interface CellUse {
  /** It is in the grid's tab order. */
  isActive: boolean;
  /** Its actions are shown. */
  isHandy: boolean;
  /** Its grader's reasons are shown. */
  isExplained: boolean;
}

export interface ResultCellProps extends CellUse {
  column: number;
  left: number;
  width: number;
  cell: Cell | undefined;
  /** Live text of the unfinished answer; undefined when there is none. */
  draft: string | undefined;
  missing: Missing;
  /** Why its call waits; undefined when it does not, or nothing is known about it. */
  wait: Wait | undefined;
  metric: Metric;
  tools: CellTools | null;
  /** Passed down: calling the hook in every cell would cost more than rendering the cell. */
  t: TFunction;
}

function Answered(props: ResultCellProps & { cell: Cell }) {
  const { cell, draft, tools, t } = props;
  if (tools?.renderReasons != null && props.isExplained) {
    return tools.renderReasons(cell);
  }
  return (
    <div className={cell.is_wanted_again ? `${STACK} opacity-70` : STACK}>
      {draft === undefined ? <CellText cell={cell} t={t} /> : <CellDraft text={draft} t={t} />}
      <div className="mt-auto flex items-center gap-2.5 pt-1">
        <CellMarks cell={cell} t={t} />
        <CellBadge {...props} />
      </div>
    </div>
  );
}

/** A variant's answer to one case, truncated. */
export const ResultCell = memo(function ResultCell(props: ResultCellProps) {
  const { column, cell, draft, tools } = props;
  let content = <MissingCell missing={props.missing} wait={props.wait} t={props.t} />;
  if (cell !== undefined) {
    content = <Answered {...props} cell={cell} />;
  } else if (draft !== undefined) {
    content = <CellDraft text={draft} t={props.t} />;
  }
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      data-column={column}
      tabIndex={props.isActive ? 0 : -1}
      style={{ left: props.left, width: props.width }}
      className={cell === undefined ? CELL : CELL + BACKGROUNDS[cell.status]}
    >
      {content}
      {cell !== undefined && tools !== null && props.isHandy && !props.isExplained ? (
        <CellActions cell={cell} tools={tools} isReachable={props.isActive} />
      ) : null}
    </div>
  );
});
