import type { KeyboardEvent, MouseEvent } from "react";
import type { Cell } from "@/api/types";
import { nextThumb } from "@/components/human-score/scales";
import { thumbOf } from "./cell-badge";
import { actionForKey, type CellTools } from "./cell-tools";
import type { ResultColumn } from "./columns";
import type { CellPosition } from "./move-cell";
import type { RowPages } from "./row-pages";
import type { RowStore } from "./row-store";
import { cellKey } from "./rows";
import { cellAt, type useCellUse } from "./use-cell-use";
import type { useGridView } from "./use-grid-view";

export interface GridInput {
  columns: readonly ResultColumn[];
  pages: RowPages;
  store: RowStore;
  tools: CellTools | null;
  onCellOpened: (cell: Cell) => void;
  onRowOpened?: (position: number) => void;
  view: ReturnType<typeof useGridView>;
  use: ReturnType<typeof useCellUse>;
}

function isButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** Click and key handlers of the grid. */
export function useGridInput(props: GridInput) {
  const { columns, pages, store, tools, view, use } = props;
  const find = (at: CellPosition): Cell | undefined => {
    const position = pages.positionAt(at.row);
    const column = columns[at.column - 1];
    return position === undefined || column === undefined || column.variant === null
      ? undefined
      : store.get(position)?.cells[cellKey(column.variant, column.repeat)];
  };
  const open = (at: CellPosition) => {
    const cell = find(at);
    const position = pages.positionAt(at.row);
    if (cell !== undefined) {
      props.onCellOpened(cell);
    } else if (at.column === 0 && position !== undefined) {
      props.onRowOpened?.(position);
    }
  };
  const onClick = (event: MouseEvent) => {
    const at = cellAt(event.target);
    if (at === null) {
      return;
    }
    view.setActive(at);
    if (event.target instanceof Element && event.target.closest("[data-reasons]") !== null) {
      use.explain(at);
    } else if (!isButton(event.target)) {
      open(at);
    }
  };
  /** Returns whether the cell handled the key. */
  const act = (key: string): boolean => {
    const cell = find(view.active);
    const action = cell === undefined || tools === null ? null : actionForKey(key, cell, tools);
    if (cell === undefined || action === null) {
      return false;
    }
    if (action === "reasons") {
      use.explain(view.active);
    } else if (action === "thumb") {
      tools?.onThumbed?.(cell, nextThumb(thumbOf(cell)));
    } else {
      action.onChosen(cell);
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    const isPressing = isButton(event.target) && (event.key === "Enter" || event.key === " ");
    if (isPressing || cellAt(event.target) === null) {
      return;
    }
    if (event.key === "Escape" && use.explained !== null) {
      event.preventDefault();
      use.explain(use.explained);
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(view.active);
    } else if (isPlain && act(event.key)) {
      event.preventDefault();
    } else if (view.onKeyDown(event)) {
      use.explain(null);
    }
  };
  return { onClick, onKeyDown };
}
