import { describe, expect, it } from "vitest";
import { shownState } from "./run-state";

describe("the state of a run", () => {
  it("is failed once most of the answers failed", () => {
    const run = { state: "completed", cell_count: 4 } as const;
    expect(shownState({ ...run, error_count: 2 })).toBe("completed");
    expect(shownState({ ...run, error_count: 3 })).toBe("failed");
    expect(shownState({ ...run, state: "executing", error_count: 4 })).toBe("executing");
  });
});
