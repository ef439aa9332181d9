import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Cell } from "@/api/types";

/** Action on a cell: a button on hover, or a key while the cell is focused. */
export interface CellAction {
  label: string;
  Icon: LucideIcon;
  /** Value of `KeyboardEvent.key`. */
  shortcut: string;
  onChosen: (cell: Cell) => void;
}

/** Cell actions of a page. Must be referentially stable. */
export interface CellTools {
  actionsOf: (cell: Cell) => readonly CellAction[];
  /** Null when scoring is not allowed. */
  onThumbed: ((cell: Cell, answer: 0 | 1) => void) | null;
  /** Renders the grader's reasons over a cell; null without a grader. */
  renderReasons: ((cell: Cell) => ReactNode) | null;
}

export const THUMB_KEY = "t";
export const REASONS_KEY = "g";

/** Failed cells and cells being re-run cannot be scored. */
export function isScorable(cell: Cell): boolean {
  return cell.status !== "error" && !cell.is_wanted_again;
}

/** Action of a key on a cell; null when the key has none. */
export function actionForKey(
  key: string,
  cell: Cell,
  tools: CellTools,
): CellAction | "thumb" | "reasons" | null {
  const lower = key.length === 1 ? key.toLowerCase() : key;
  if (lower === THUMB_KEY && tools.onThumbed !== null && isScorable(cell)) {
    return "thumb";
  }
  if (lower === REASONS_KEY && tools.renderReasons !== null && cell.scores.length > 0) {
    return "reasons";
  }
  return tools.actionsOf(cell).find(({ shortcut }) => shortcut === lower) ?? null;
}
