import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Cell } from "@/api/types";

/** Something that can be done with a cell: by a button over it, or by a key while it is focused. */
export interface CellAction {
  label: string;
  Icon: LucideIcon;
  /** As `KeyboardEvent.key` says it. */
  shortcut: string;
  onChosen: (cell: Cell) => void;
}

/** What a page lets people do with its cells. It must stay the same object while nothing changes. */
export interface CellTools {
  actionsOf: (cell: Cell) => readonly CellAction[];
  /** Null where nobody may score. */
  onThumbed: ((cell: Cell, answer: 0 | 1) => void) | null;
  /** What the grader said, shown over a cell; null where there is no grader. */
  renderReasons: ((cell: Cell) => ReactNode) | null;
}

export const THUMB_KEY = "t";
export const REASONS_KEY = "g";

/** A failure is no answer, and one that is being replaced is nobody's concern. */
export function isScorable(cell: Cell): boolean {
  return cell.status !== "error" && !cell.is_wanted_again;
}

/** What a key does to a cell; null when it is not a key of a cell. */
export function deedOf(
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
