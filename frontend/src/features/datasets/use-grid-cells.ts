import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import type { Case } from "@/api/types";
import { moveCell, type CellPosition } from "@/components/grid/move-cell";
import type { CellExit } from "./cell-editor";
import { placeOf, type GridColumn } from "./columns";
import { nextEditable } from "./grid-keys";
import type { CasePages } from "./use-case-pages";
import { choose, isChosen, type Chosen } from "./view";

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) {
    next.add(value);
  }
  return next;
}

/** Cell of a click or key event. */
function cellOf(target: EventTarget | null): CellPosition | null {
  const element = target instanceof Element ? target : null;
  const column = element?.closest<HTMLElement>("[data-column]")?.dataset.column;
  const row = element?.closest<HTMLElement>("[data-index]")?.dataset.index;
  return row === undefined || column === undefined
    ? null
    : { row: Number(row), column: Number(column) };
}

export interface GridChoice {
  pages: CasePages;
  chosen: Chosen;
  onChosenChanged: (chosen: Chosen) => void;
}

/** Row selection by mouse and keyboard; Shift selects a range. */
function useRowSelection({ pages, chosen, onChosenChanged }: GridChoice) {
  const anchor = useRef(0);
  return (index: number, isRange: boolean) => {
    const row = pages.rowAt(index);
    if (row === undefined) {
      return;
    }
    const wanted = !isChosen(chosen, row.id);
    const from = isRange ? Math.min(anchor.current, index) : index;
    const to = isRange ? Math.max(anchor.current, index) : index;
    const ids = Array.from({ length: to - from + 1 }, (_, step) => pages.rowAt(from + step)?.id);
    anchor.current = index;
    onChosenChanged(
      choose(
        chosen,
        ids.filter((id) => id !== undefined),
        isRange || wanted,
        pages.loadedIds(),
      ),
    );
  };
}

/** Focused cell and edit mode. DOM focus follows. */
export function useActiveCell(grid: RefObject<HTMLElement | null>) {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const [isEditing, setEditing] = useState(false);
  const isFocusWanted = useRef(false);
  useEffect(() => {
    if (isFocusWanted.current && !isEditing) {
      isFocusWanted.current = false;
      const cell = grid.current?.querySelector<HTMLElement>(
        `[data-index="${active.row}"] [data-column="${active.column}"]`,
      );
      cell?.focus({ preventScroll: true });
      cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }, [active, isEditing, grid]);
  const goTo = useCallback((cell: CellPosition, editing = false) => {
    isFocusWanted.current = !editing;
    setActive(cell);
    setEditing(editing);
  }, []);
  return { active, isEditing, goTo };
}

export interface GridCells extends GridChoice {
  cell: ReturnType<typeof useActiveCell>;
  columns: readonly GridColumn[];
  rows: number;
  /** Number of rows that a page key moves. */
  rowsPerPage: () => number;
  editable: boolean;
  onCaseOpened: (row: Case) => void;
}

/** Keyboard and mouse handling of the table: move, edit, select, open, expand. */
export function useGridCells(props: GridCells) {
  const { cell, pages, columns, rows, editable, onCaseOpened } = props;
  const { active, isEditing, goTo } = cell;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const chooseRow = useRowSelection(props);
  const canEdit = (column: GridColumn | undefined) =>
    editable && column !== undefined && placeOf(column) !== null;

  const onEditingClosed = useCallback(
    (leaving: CellExit) => {
      if (leaving === "next" || leaving === "previous") {
        const isEditable = columns.map((column) => placeOf(column) !== null);
        const next = nextEditable(active, isEditable, rows, leaving === "next" ? 1 : -1);
        goTo(next ?? active, next !== null);
      } else {
        goTo(leaving === "down" ? { ...active, row: Math.min(rows - 1, active.row + 1) } : active);
      }
    },
    [active, columns, rows, goTo],
  );

  const act = (row: Case, withShift: boolean) => {
    const column = columns[active.column];
    if (column?.kind === "select") {
      chooseRow(active.row, withShift);
    } else if (canEdit(column)) {
      goTo(active, true);
    } else {
      onCaseOpened(row);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Events of an editor's dialogs bubble here through React, although they are elsewhere in the
    // DOM.
    const isInside = event.currentTarget.contains(event.target as Node);
    if (!isInside || isEditing || event.altKey || cellOf(event.target) === null) {
      return;
    }
    const moved = moveCell(active, event.key, event.ctrlKey || event.metaKey, {
      rows,
      columns: columns.length,
      rowsPerPage: props.rowsPerPage(),
    });
    const row = pages.rowAt(active.row);
    if (moved !== null) {
      goTo(moved);
    } else if ((event.key === "Enter" || event.key === "F2") && row !== undefined) {
      act(row, event.shiftKey);
    } else if (event.key === " " && editable) {
      chooseRow(active.row, event.shiftKey);
    } else if (event.key === "e" && row !== undefined) {
      setExpanded(toggled(expanded, row.id));
    } else {
      return;
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const clicked = cellOf(event.target);
    if (clicked === null || !event.currentTarget.contains(event.target as Node)) {
      return;
    }
    if (isEditing && clicked.row === active.row && clicked.column === active.column) {
      return;
    }
    // An open editor saves first and then moves the focus itself.
    if (!isEditing) {
      goTo(clicked);
    }
    const row = pages.rowAt(clicked.row);
    const action = (event.target as Element).closest<HTMLElement>("[data-action]")?.dataset.action;
    if (columns[clicked.column]?.kind === "select") {
      chooseRow(clicked.row, event.shiftKey);
    } else if (action === "open" && row !== undefined) {
      onCaseOpened(row);
    } else if (action === "expand" && row !== undefined) {
      setExpanded(toggled(expanded, row.id));
    }
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const clicked = cellOf(event.target);
    if (clicked !== null && !isEditing && canEdit(columns[clicked.column])) {
      goTo(clicked, true);
    }
  };
  return { expanded, onEditingClosed, handlers: { onKeyDown, onClick, onDoubleClick } };
}
