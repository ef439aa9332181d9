import type { RunRowPage } from "@/api/types";
import type { RowStore } from "./row-store";

export const PAGE_SIZE = 50;
/** Maximum number of pages kept in memory. */
const MOST_PAGES = 40;

/** Visible rows, zero-based. */
export interface RowRange {
  first: number;
  last: number;
}

/** Reads rows after a position; only matching ones when there is a filter. */
export type ReadRows = (after: number, limit: number) => Promise<RunRowPage>;

export interface PagesState {
  /** Number of rows; null while unknown. */
  total: number | null;
  error: unknown;
}

/** Row order of a grid, with loading of the visible pages. */
export abstract class RowPages {
  private state: PagesState;
  private readonly listeners = new Set<() => void>();
  protected range: RowRange = { first: 0, last: 0 };

  constructor(
    protected readonly store: RowStore,
    protected readonly read: ReadRows,
    total: number | null,
  ) {
    this.state = { total, error: null };
  }

  /** Position of the row at a grid index; undefined while unknown. */
  abstract positionAt(index: number): number | undefined;
  protected abstract load(): void;
  protected abstract outdate(): void;

  readonly getState = (): PagesState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly show = (range: RowRange): void => {
    this.range = range;
    this.load();
  };

  /** Refetches the visible rows; others are refetched when they come into view. */
  readonly refresh = (): void => {
    this.outdate();
    this.load();
  };

  protected change(state: Partial<PagesState>): void {
    this.state = { ...this.state, ...state };
    this.listeners.forEach((listener) => listener());
  }
}

/** All rows of a run: the index equals the position, so any page can be read directly. */
export class AllRows extends RowPages {
  private readonly asked = new Map<number, symbol>();

  positionAt(index: number): number {
    return index;
  }

  protected load(): void {
    const first = Math.floor(this.range.first / PAGE_SIZE);
    const last = Math.floor(this.range.last / PAGE_SIZE);
    for (let page = first; page <= last; page += 1) {
      if (!this.asked.has(page)) {
        void this.readPage(page);
      }
    }
    this.forgetFarPages((first + last) / 2);
  }

  protected outdate(): void {
    this.asked.clear();
  }

  private async readPage(page: number): Promise<void> {
    const mark = Symbol("asked");
    this.asked.set(page, mark);
    this.store.keep(this.positionsOf(page));
    try {
      const { items, total } = await this.read(page * PAGE_SIZE - 1, PAGE_SIZE);
      if (this.asked.get(page) === mark) {
        this.store.put(items);
        this.change({ total, error: null });
      }
    } catch (error) {
      if (this.asked.get(page) === mark) {
        this.asked.delete(page);
        this.change({ error });
      }
    }
  }

  private forgetFarPages(centre: number): void {
    const far = [...this.asked.keys()]
      .sort((one, other) => Math.abs(one - centre) - Math.abs(other - centre))
      .slice(MOST_PAGES);
    for (const page of far) {
      this.asked.delete(page);
      this.store.forget(this.positionsOf(page));
    }
  }

  private positionsOf(page: number): number[] {
    return Array.from({ length: PAGE_SIZE }, (_, offset) => page * PAGE_SIZE + offset);
  }
}

/** Filtered rows: a page's start is known only after the page before it was read. */
export class MatchingRows extends RowPages {
  private positions: number[] = [];
  private next: number | null = -1;
  private reading: symbol | null = null;

  positionAt(index: number): number | undefined {
    return this.positions[index];
  }

  protected load(): void {
    if (this.reading === null && this.next !== null && this.positions.length <= this.range.last) {
      void this.readOn([...this.positions], this.next);
    }
  }

  /** Shown rows stay until all of them were read again. */
  protected outdate(): void {
    void this.readOn([], -1);
  }

  private async readOn(positions: number[], from: number): Promise<void> {
    const mark = Symbol("reading");
    this.reading = mark;
    let next: number | null = from;
    try {
      do {
        const page: RunRowPage = await this.read(next, PAGE_SIZE);
        if (this.reading !== mark) {
          return;
        }
        positions.push(...page.items.map((row) => row.position));
        next = page.next;
        this.store.put(page.items);
        this.change({ total: page.total, error: null });
      } while (next !== null && positions.length <= this.range.last);
      this.positions = positions;
      this.next = next;
      this.reading = null;
      this.change({});
    } catch (error) {
      if (this.reading === mark) {
        this.reading = null;
        this.change({ error });
      }
    }
  }
}
