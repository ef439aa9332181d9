import { describe, expect, it } from "vitest";
import { moveCell } from "@/components/grid/move-cell";
import { columnsFor, gridTemplate, minimumWidth, stickyLeft } from "./columns";
import { nextEditable } from "./grid-keys";
import {
  CASE_SORTS,
  choose,
  countChosen,
  isChosen,
  isFiltered,
  nextSort,
  NOTHING,
  reversed,
  toFilter,
  toSelection,
} from "./view";

const SIZE = { rows: 100, columns: 5, rowsPerPage: 10 };

describe("keys in the table", () => {
  it.each([
    ["ArrowDown", false, { row: 6, column: 2 }],
    ["ArrowUp", true, { row: 0, column: 2 }],
    ["ArrowRight", true, { row: 5, column: 4 }],
    ["Home", false, { row: 5, column: 0 }],
    ["End", true, { row: 99, column: 4 }],
    ["PageDown", false, { row: 15, column: 2 }],
  ])("%s (control: %s) leads to %o", (key, withControl, to) => {
    expect(moveCell({ row: 5, column: 2 }, key, withControl, SIZE)).toEqual(to);
  });

  it("stays inside, and leaves other keys alone", () => {
    expect(moveCell({ row: 0, column: 0 }, "ArrowUp", false, SIZE)).toEqual({ row: 0, column: 0 });
    expect(moveCell({ row: 95, column: 0 }, "PageDown", false, SIZE)?.row).toBe(99);
    expect(moveCell({ row: 0, column: 0 }, "a", false, SIZE)).toBeNull();
  });

  it("skips what cannot be edited, on to the next row and back", () => {
    const editable = [false, true, true, false];
    expect(nextEditable({ row: 0, column: 2 }, editable, 2, 1)).toEqual({ row: 1, column: 1 });
    expect(nextEditable({ row: 1, column: 1 }, editable, 2, -1)).toEqual({ row: 0, column: 2 });
    expect(nextEditable({ row: 1, column: 2 }, editable, 2, 1)).toBeNull();
  });
});

describe("columns of the table", () => {
  const variables = [{ name: "question", cases: 2 }];

  it("has one per variable between the number and the rest", () => {
    const columns = columnsFor(variables, true);
    expect(columns.map(({ key }) => key).slice(0, 4)).toEqual([
      "select",
      "position",
      "input.question",
      "expected",
    ]);
    expect(columns.map((column) => stickyLeft(columns, column)).slice(0, 3)).toEqual([0, 44, null]);
    expect(gridTemplate(columns)).toMatch(/^44px 72px minmax\(220px, 1fr\)/);
    expect(minimumWidth(columns)).toBe(44 + 72 + 220 + 220 + 168 + 104 + 104 + 120 + 84);
  });

  it("offers nothing to choose to those who cannot change anything", () => {
    expect(columnsFor(variables, false)[0]?.kind).toBe("position");
  });
});

describe("the choice of rows", () => {
  it("turns all that match into the rows that are loaded when one is left out", () => {
    const all = { kind: "all" } as const;
    const some = choose(all, ["b"], false, ["a", "b", "c"]);
    expect(isChosen(some, "a")).toBe(true);
    expect(isChosen(some, "b")).toBe(false);
    expect(countChosen(some, 10_000)).toBe(2);
    expect(choose(all, ["b"], true, [])).toBe(all);
  });

  it("names rows, or the filter with how many were seen", () => {
    const view = { q: "late", difficulty: "3", expected: "no", sort: "-difficulty" } as const;
    expect(toSelection(choose(NOTHING, ["a"], true, []), view, 9)).toEqual({ ids: ["a"] });
    expect(toSelection({ kind: "all" }, view, 9)).toEqual({
      matching: { q: "late", difficulty: 3, has_expected: false },
      count: 9,
    });
  });
});

describe("the view in the address", () => {
  it("is filtered by anything but its order", () => {
    expect(isFiltered({ sort: "difficulty" })).toBe(false);
    expect(isFiltered({ tag: "late" })).toBe(true);
    expect(toFilter({ expected: "yes" })).toEqual({ has_expected: true });
  });

  it("is the same order when it is turned round twice", () => {
    for (const sort of [undefined, ...CASE_SORTS]) {
      expect(reversed(sort)).not.toBe(sort);
      expect(reversed(reversed(sort))).toBe(sort);
    }
  });

  it("sorts forwards, backwards and not at all", () => {
    expect(nextSort(undefined, "difficulty")).toBe("difficulty");
    expect(nextSort("difficulty", "difficulty")).toBe("-difficulty");
    expect(nextSort("-difficulty", "difficulty")).toBeUndefined();
    expect(nextSort(undefined, "position")).toBe("-position");
    expect(nextSort("-position", "position")).toBeUndefined();
  });
});
