import { describe, expect, it, vi } from "vitest";
import type { RunRowPage } from "@/api/types";
import { aCell, aRow } from "@/testing/run-builders";
import { AllRows, MatchingRows, PAGE_SIZE } from "./row-pages";
import { RowStore } from "./row-store";
import {
  cellPassed,
  mergeCell,
  mergeRow,
  mergeScore,
  appendText,
  UNKNOWN_ROW,
  dropLiveTexts,
} from "./rows";

const score = (value: number, over = {}) => ({
  output_id: "o1",
  case_position: 0,
  variant_position: 0,
  repeat: 0,
  scorer: 0,
  value,
  is_passed: null,
  flag: null,
  grade: { value, by: "scorer" as const },
  ...over,
});

describe("what is known of a row", () => {
  it("keeps the newer cell, whichever arrives last", () => {
    const newer = mergeCell(UNKNOWN_ROW, aCell({ number: 7, preview: "new" }));
    const row = mergeCell(newer, aCell({ number: 3, preview: "old" }));
    expect(row.cells["0.0"]?.preview).toBe("new");
  });

  it("keeps scores that arrive before their cell", () => {
    const early = mergeScore(UNKNOWN_ROW, score(0.5));
    const row = mergeRow(early, aRow(0, [aCell()]));
    expect(row.cells["0.0"]?.scores).toEqual([
      { scorer: 0, value: 0.5, is_passed: null, flag: null },
    ]);
    expect(row.early).toEqual([]);
  });

  it("loses no score when a cell arrives twice, but starts over when it was made again", () => {
    const scored = mergeScore(mergeCell(UNKNOWN_ROW, aCell({ number: 1 })), score(0.5));
    expect(mergeCell(scored, aCell({ number: 1 })).cells["0.0"]?.scores).toHaveLength(1);
    expect(mergeCell(scored, aCell({ number: 2 })).cells["0.0"]?.scores).toEqual([]);
  });

  it("is worth what the latest score made of it, even one that came before its cell", () => {
    const early = mergeScore(UNKNOWN_ROW, score(0.5));
    const row = mergeCell(early, aCell());
    expect(row.cells["0.0"]?.grade).toEqual({ value: 0.5, by: "scorer" });
    const human = score(0.2, { grade: { value: 1, by: "human" } });
    expect(mergeScore(row, human).cells["0.0"]?.grade).toEqual({ value: 1, by: "human" });
  });

  it("passes only what passed every threshold", () => {
    const scores = [
      { scorer: 0, value: 1, is_passed: true, flag: null },
      { scorer: 1, value: 0.5, is_passed: false, flag: null },
      { scorer: 2, value: null, is_passed: null, flag: null },
    ];
    expect(cellPassed(aCell({ scores }))).toBe(false);
    expect(cellPassed(aCell({ scores: scores.slice(0, 1) }))).toBe(true);
    expect(cellPassed(aCell({ scores, human_value: 1 }))).toBeNull();
    expect(cellPassed(aCell())).toBeNull();
  });

  it("is not passed for being harmless while another score has no threshold", () => {
    const scores = [
      { scorer: 0, value: 0.2, is_passed: null, flag: null },
      { scorer: 1, value: 1, is_passed: true, flag: null },
    ];
    expect(cellPassed(aCell({ scores }))).toBeNull();
  });
});

const text = (start: number, more: string) => ({
  case_position: 0,
  variant_position: 0,
  repeat: 0,
  start,
  text: more,
});

describe("an answer that is being given", () => {
  it("grows, starts over after a retry, and ends with its cell", () => {
    let row = appendText(UNKNOWN_ROW, text(0, "The capital"));
    row = appendText(row, text(11, " is"));
    expect(row.drafts).toEqual({ "0.0": "The capital is" });
    row = appendText(row, text(0, "It"));
    expect(row.drafts).toEqual({ "0.0": "It" });
    expect(mergeCell(row, aCell()).drafts).toEqual({});
  });

  it("stays over an answer that is being retried, until the retry ends", () => {
    const row = appendText(UNKNOWN_ROW, text(0, "Re-run"));
    const marked = mergeCell(row, aCell({ is_wanted_again: true }));
    expect(marked.drafts).toEqual({ "0.0": "Re-run" });
    expect(dropLiveTexts(marked).drafts).toEqual({});
    expect(dropLiveTexts(UNKNOWN_ROW)).toBe(UNKNOWN_ROW);
  });
});

describe("the store of rows", () => {
  it("applies updates once per frame and re-renders only changed rows", () => {
    const frames: (() => void)[] = [];
    const store = new RowStore((flush) => frames.push(flush));
    const first = vi.fn();
    const second = vi.fn();
    store.keep([0, 1]);
    store.subscribe(0, first);
    store.subscribe(1, second);
    store.applyCells([aCell({ number: 1, preview: "one" })]);
    store.applyCells([aCell({ number: 2, preview: "two" })]);
    store.applyScores([score(0.9)]);
    expect(store.get(0)?.cells).toEqual({});
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(store.get(0)?.cells["0.0"]).toMatchObject({ preview: "two", scores: [{ value: 0.9 }] });
    expect(first).toHaveBeenCalledOnce();
    expect(second).not.toHaveBeenCalled();
  });

  it("drops events of rows that were not requested", () => {
    const store = new RowStore((flush) => flush());
    store.applyCells([aCell({ case_position: 5 })]);
    expect(store.get(5)).toBeUndefined();
  });

  it("keeps updates that arrive while the row is being read", () => {
    const store = new RowStore((flush) => flush());
    store.keep([0]);
    store.applyCells([aCell({ number: 4, preview: "streamed" })]);
    store.put([aRow(0, [aCell({ number: 1, preview: "read before" })])]);
    expect(store.get(0)).toMatchObject({
      info: { position: 0 },
      cells: { "0.0": { preview: "streamed" } },
    });
  });
});

const page = (positions: number[], next: number | null, total: number): RunRowPage => ({
  items: positions.map((position) => aRow(position)),
  next,
  total,
});

describe("reading rows", () => {
  it("reads the pages in view and no others", async () => {
    const read = vi.fn((after: number) => Promise.resolve(page([after + 1], null, 10_000)));
    const store = new RowStore();
    const pages = new AllRows(store, read, 10_000);
    pages.show({ first: 120, last: 160 });
    pages.show({ first: 121, last: 161 });
    await vi.waitFor(() => expect(store.get(150)?.info).not.toBeNull());
    expect(read.mock.calls).toEqual([
      [99, PAGE_SIZE],
      [149, PAGE_SIZE],
    ]);
  });

  it("forgets pages far away, so that memory stays bounded", async () => {
    const store = new RowStore();
    const pages = new AllRows(store, () => Promise.resolve(page([], null, 10_000)), 10_000);
    for (let first = 0; first < 10_000; first += PAGE_SIZE) {
      pages.show({ first, last: first + 10 });
    }
    await Promise.resolve();
    expect(store.get(0)).toBeUndefined();
    expect(store.get(9_999)).toBeDefined();
  });

  it("reads a page again that could not be read", async () => {
    const read = vi.fn(() => Promise.reject(new Error("away")));
    const pages = new AllRows(new RowStore(), read, 10);
    pages.show({ first: 0, last: 5 });
    await vi.waitFor(() => expect(pages.getState().error).toEqual(new Error("away")));
    pages.refresh();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("follows matching rows from page to page as far as they are shown", async () => {
    const read = vi.fn((after: number) =>
      Promise.resolve(after < 0 ? page([3, 7], 7, 3) : page([42], null, 3)),
    );
    const pages = new MatchingRows(new RowStore(), read, null);
    pages.show({ first: 0, last: 1 });
    await vi.waitFor(() => expect(pages.positionAt(1)).toBe(7));
    expect(pages.positionAt(2)).toBeUndefined();
    pages.show({ first: 0, last: 2 });
    await vi.waitFor(() => expect(pages.positionAt(2)).toBe(42));
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, 7]);
  });
});
