import { describe, expect, it } from "vitest";
import { assignLanes } from "./lanes";

describe("lanes", () => {
  it("keeps a line of versions in one lane", () => {
    const rows = assignLanes([
      { id: "3", parent_id: "2" },
      { id: "2", parent_id: "1" },
      { id: "1", parent_id: null },
    ]);
    expect(rows.map((row) => row.lane)).toEqual([0, 0, 0]);
    expect(rows.at(-1)?.below).toEqual([]);
  });

  it("draws a branch beside it and joins it at the common parent", () => {
    const rows = assignLanes([
      { id: "3", parent_id: "1" },
      { id: "2", parent_id: "1" },
      { id: "1", parent_id: null },
    ]);
    expect(rows.map((row) => row.lane)).toEqual([0, 1, 0]);
    expect(rows[1]?.below).toEqual([
      { from: 0, to: 0 },
      { from: 1, to: 0 },
    ]);
  });
});
