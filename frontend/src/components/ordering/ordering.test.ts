import { describe, expect, it } from "vitest";
import { moved } from "./moved";
import { indexAt } from "./use-drag-order";

describe("the order of a list", () => {
  it("changes for the one that is moved, and for no other", () => {
    expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b"], 5, 0)).toEqual(["a", "b"]);
  });

  it("finds the place of a dragged item by the middles of the others", () => {
    expect(indexAt([50, 150, 250], 0, 160)).toBe(1);
    expect(indexAt([50, 150, 250], 2, 10)).toBe(0);
  });
});
