import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useUndoable } from "./use-undoable";

function start() {
  const acted = vi.fn<() => void>();
  const hook = renderHook(() => useUndoable(acted));
  act(() => hook.result.current.start());
  return { acted, ...hook };
}

describe("an action that can be undone", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is done after five seconds", () => {
    const { acted, result } = start();
    act(() => {
      vi.advanceTimersByTime(4999);
    });
    expect([acted.mock.calls.length, result.current.isWaiting]).toEqual([0, true]);
    act(() => {
      vi.advanceTimersByTime(1);
    });
    expect([acted.mock.calls.length, result.current.isWaiting]).toEqual([1, false]);
  });

  it("is not done once it is undone", () => {
    const { acted, result } = start();
    act(() => result.current.undo());
    act(() => {
      vi.advanceTimersByTime(10_000);
    });
    expect([acted.mock.calls.length, result.current.isWaiting]).toEqual([0, false]);
  });

  it("is done at once when it is wanted again, or when the page is left", () => {
    const again = start();
    act(() => again.result.current.start());
    const left = start();
    left.unmount();
    expect([again.acted.mock.calls.length, left.acted.mock.calls.length]).toEqual([1, 1]);
  });
});
