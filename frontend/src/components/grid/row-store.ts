import type { Cell, RunRow } from "@/api/types";
import {
  endTexts,
  takeCell,
  takeRow,
  takeScore,
  takeText,
  UNKNOWN_ROW,
  type KnownRow,
  type ScoreNews,
  type TextNews,
} from "./rows";

type Change = (rows: Map<number, KnownRow>) => number | null;
type Schedule = (flush: () => void) => void;

/** Hidden pages draw no frames, but what arrives must not pile up either. */
const onNextFrame: Schedule = (flush) => {
  if (document.visibilityState === "hidden") {
    setTimeout(flush, 1000);
  } else {
    requestAnimationFrame(flush);
  }
};

function changing(position: number, change: (row: KnownRow) => KnownRow): Change {
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
 * The rows of a grid that are in use. Whatever a stream tells is queued and applied once per frame,
 * and only the rows that changed are drawn again. What is told of rows that nobody has asked for is
 * dropped: they are read as a whole when they come into view.
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

  /** From now on what arrives for these rows counts; call it before reading them. */
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

  /** Rows as they were read. */
  put(rows: readonly RunRow[]): void {
    this.keep(rows.map((row) => row.position));
    this.enqueue(rows.map((read) => changing(read.position, (row) => takeRow(row, read))));
    this.flush();
  }

  tellCells(cells: readonly Cell[]): void {
    this.enqueue(cells.map((cell) => changing(cell.case_position, (row) => takeCell(row, cell))));
  }

  /** What somebody did here shows at once. */
  changeCell(cell: Cell): void {
    this.tellCells([cell]);
    this.flush();
  }

  tellScores(scores: readonly ScoreNews[]): void {
    this.enqueue(
      scores.map((score) => changing(score.case_position, (row) => takeScore(row, score))),
    );
  }

  tellTexts(texts: readonly TextNews[]): void {
    this.enqueue(texts.map((news) => changing(news.case_position, (row) => takeText(row, news))));
  }

  /** Nobody is answering any more: what was said without coming to an end is gone. */
  endTexts(): void {
    this.enqueue([...this.rows.keys()].map((position) => changing(position, endTexts)));
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
