import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY_SESSION, newColumn } from "./session";
import { readSession, writeSession } from "./session-store";

describe("what the browser remembers", () => {
  beforeEach(() => localStorage.clear());

  it("comes back as it was", () => {
    const settings = { modelId: "m1", versionId: null, parameters: null, label: null };
    const columns = [{ ...newColumn(settings), position: 0 }];
    const session = { ...EMPTY_SESSION, promptId: "p1", columns, runId: "r1" };
    writeSession("demo", session);
    expect(readSession("demo")).toEqual(session);
    expect(readSession("other")).toBeNull();
    const next = { ...EMPTY_SESSION, promptId: "p2", runId: "r2" };
    writeSession("demo", next);
    expect(readSession("demo")).toEqual(next);
    expect(readSession("demo", "p1")).toEqual(session);
  });

  it("counts for nothing when it cannot be understood", () => {
    localStorage.setItem("edison-playground:demo", '{"columns": 3}');
    expect(readSession("demo")).toBeNull();
    localStorage.setItem("edison-playground:demo", "{");
    expect(readSession("demo")).toBeNull();
  });
});
