import type { Cell, RunRow } from "@/api/types";
import {
  dropLiveTexts,
  mergeCell,
  mergeRow,
  mergeScore,
  appendText,
  UNKNOWN_ROW,
  type KnownRow,
  type ScoreEvent,
  type TextUpdate,
} from "./rows";

type Change = (rows: Map<number, KnownRow>) => number | null;
type Schedule = (flush: () => void) => void;

/** Hidden pages render no frames, so there a timer flushes the queue instead. */
const onNextFrame: Schedule = (flush) => {
  if (document.visibilityState === "hidden") {
    setTimeout(flush, 1000);
  } else {
    requestAnimationFrame(flush);
  }
};

function rowChange(position: number, change: (row: KnownRow) => KnownRow): Change {
  return (rows) => {
    const row = rows.get(position);
    if (row === undefined) {
      return null;
    }
    const changed = change(row);
    rows.set(position, changed);
    return changed === row ? null : position;
  };
}

/**
 * Rows in use by a grid. Stream updates are queued and applied once per frame, and only changed
 * rows re-render. Updates of rows that were not requested are dropped: those rows are read
 * completely when they come into view.
 */
export class RowStore {
  private readonly rows = new Map<number, KnownRow>();
  private readonly listeners = new Map<number, Set<() => void>>();
  private queue: Change[] = [];

  constructor(private readonly schedule: Schedule = onNextFrame) {}

  get(position: number): KnownRow | undefined {
    return this.rows.get(position);
  }

  subscribe(position: number, listener: () => void): () => void {
    const known = this.listeners.get(position) ?? new Set();
    known.add(listener);
    this.listeners.set(position, known);
    return () => {
      known.delete(listener);
      if (known.size === 0) {
        this.listeners.delete(position);
      }
    };
  }

  /** Accepts updates for these rows from now on; call it before reading them. */
  keep(positions: Iterable<number>): void {
    for (const position of positions) {
      if (!this.rows.has(position)) {
        this.rows.set(position, UNKNOWN_ROW);
      }
    }
  }

  forget(positions: Iterable<number>): void {
    for (const position of positions) {
      this.rows.delete(position);
    }
  }

  /** Stores rows as read. */
  put(rows: readonly RunRow[]): void {
    this.keep(rows.map((row) => row.position));
    this.enqueue(rows.map((read) => rowChange(read.position, (row) => mergeRow(row, read))));
    this.flush();
  }

  applyCells(cells: readonly Cell[]): void {
    this.enqueue(cells.map((cell) => rowChange(cell.case_position, (row) => mergeCell(row, cell))));
  }

  /** Applies a local change immediately. */
  changeCell(cell: Cell): void {
    this.applyCells([cell]);
    this.flush();
  }

  applyScores(scores: readonly ScoreEvent[]): void {
    this.enqueue(
      scores.map((score) => rowChange(score.case_position, (row) => mergeScore(row, score))),
    );
  }

  applyTexts(texts: readonly TextUpdate[]): void {
    this.enqueue(
      texts.map((news) => rowChange(news.case_position, (row) => appendText(row, news))),
    );
  }

  /** Drops the live texts of unfinished answers. */
  dropLiveTexts(): void {
    this.enqueue([...this.rows.keys()].map((position) => rowChange(position, dropLiveTexts)));
  }

  private enqueue(changes: readonly Change[]): void {
    if (this.queue.length === 0 && changes.length > 0) {
      this.schedule(() => this.flush());
    }
    this.queue.push(...changes);
  }

  private flush(): void {
    const changed = new Set<number>();
    for (const change of this.queue) {
      const position = change(this.rows);
      if (position !== null) {
        changed.add(position);
      }
    }
    this.queue = [];
    for (const position of changed) {
      this.listeners.get(position)?.forEach((listener) => listener());
    }
  }
}
