import { describe, expect, it } from "vitest";
import { isFinished, isWorking, percentDone } from "@/api/runs";
import { applyProgress, readRunEvent, type Progress } from "@/components/grid/live";
import { aRun, aVariant } from "@/testing/run-builders";
import { stepsOf } from "./phases";

const progressEvent = (over: Partial<Progress>): Progress => ({
  ...aRun(),
  variants: [{ ...aVariant(), done_count: 6 }],
  ...over,
});

describe("progress of a run", () => {
  it("takes over what changed and keeps what the event leaves out", () => {
    const run = applyProgress(aRun(), progressEvent({ done_count: 6, last_number: 9 }));
    expect(run).toMatchObject({ done_count: 6, last_number: 9, name: "Reply on Golden" });
    expect(run.variants[0]).toMatchObject({ done_count: 6, label: "Reply v1, GPT-4o" });
  });

  it("never moves backwards: an event from before is ignored", () => {
    const run = aRun({ state: "completed", done_count: 10, last_number: 20 });
    expect(applyProgress(run, progressEvent({ done_count: 6, last_number: 19 }))).toBe(run);
  });

  it("shows fewer failures when cells were made again, because that is newer", () => {
    const run = aRun({ error_count: 3, last_number: 20 });
    expect(applyProgress(run, progressEvent({ error_count: 1, last_number: 21 })).error_count).toBe(
      1,
    );
  });

  it("reads what the stream says, and nothing else", () => {
    expect(readRunEvent("cells", { cells: [] })).toEqual({ type: "cells", cells: [] });
    expect(readRunEvent("scores", null)).toEqual({ type: "scores", scores: [] });
    expect(readRunEvent("reset", null)).toEqual({ type: "reset" });
    expect(readRunEvent("closed", { reason: "shutdown" })).toBeNull();
  });
});

describe("states", () => {
  it("distinguishes runs in progress from runs that wait for a user", () => {
    expect(isWorking("scoring")).toBe(true);
    expect(isWorking("paused")).toBe(false);
    expect(isFinished("paused")).toBe(false);
    expect(isFinished("failed")).toBe(true);
  });

  it("is all done when completed, even with cells that were not asked", () => {
    expect(percentDone(aRun({ done_count: 5 }))).toBe(50);
    expect(percentDone(aRun({ state: "completed", done_count: 9 }))).toBe(100);
  });
});

describe("the timeline", () => {
  const statuses = (run: Parameters<typeof stepsOf>[0]) => stepsOf(run).map(({ status }) => status);

  it("is where the run is", () => {
    expect(statuses(aRun())).toEqual(["current", "waiting", "waiting", "waiting"]);
  });

  it("stands still where a run was paused or stopped", () => {
    expect(statuses(aRun({ state: "paused" }))[0]).toBe("paused");
    expect(statuses(aRun({ state: "cancelled" }))[0]).toBe("stopped");
  });

  it("shows how long a run was queued, unless it started at once", () => {
    const phases = [
      {
        state: "pending" as const,
        began_at: "2026-01-15T10:00:00Z",
        ended_at: "2026-01-15T10:00:02.5Z",
      },
    ];
    expect(stepsOf({ state: "completed", phases })[0]).toEqual({
      state: "pending",
      status: "done",
      seconds: 2.5,
    });
    expect(stepsOf(aRun()).map(({ state }) => state)).not.toContain("pending");
  });
});
