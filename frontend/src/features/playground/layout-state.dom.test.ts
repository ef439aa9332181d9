import { beforeEach, describe, expect, it } from "vitest";
import { FIRST_LAYOUT, keyAction, readLayout, reduceLayout, writeLayout } from "./layout-state";

describe("how the panels share the page", () => {
  it("gives room to what is being done", () => {
    const writing = reduceLayout(FIRST_LAYOUT, { type: "editing" });
    expect([writing.layout, writing.shares[writing.layout]]).toEqual(["focus", 65]);
    const looking = reduceLayout(writing, { type: "looking" });
    expect([looking.layout, looking.shares[looking.layout]]).toEqual(["balanced", 30]);
    expect(reduceLayout(looking, { type: "toggled" }).layout).toBe("focus");
  });

  it("keeps the width that was chosen for each, within bounds", () => {
    const wide = reduceLayout(FIRST_LAYOUT, { type: "resized", share: 44.6 });
    expect(wide.shares).toEqual({ focus: 65, balanced: 45 });
    expect(reduceLayout(wide, { type: "resized", share: 3 }).shares.balanced).toBe(20);
    expect(reduceLayout(wide, { type: "resized", share: 99 }).shares.balanced).toBe(80);
    expect(reduceLayout(wide, { type: "reset" })).toEqual(FIRST_LAYOUT);
  });

  it("is moved by keys", () => {
    expect(keyAction("ArrowRight", FIRST_LAYOUT)).toEqual({ type: "resized", share: 35 });
    expect(keyAction("ArrowLeft", FIRST_LAYOUT)).toEqual({ type: "resized", share: 25 });
    expect(keyAction("Home", FIRST_LAYOUT)).toEqual({ type: "resized", share: 20 });
    expect(keyAction("Enter", FIRST_LAYOUT)).toEqual({ type: "toggled" });
    expect(keyAction("x", FIRST_LAYOUT)).toBeNull();
  });
});

describe("what the browser remembers of it", () => {
  beforeEach(() => localStorage.clear());

  it("comes back, and nonsense does not", () => {
    const state = { layout: "focus", shares: { focus: 70, balanced: 40 } } as const;
    writeLayout(state);
    expect(readLayout()).toEqual(state);
    localStorage.setItem("edison-playground-layout", '{"layout":"x","shares":{"focus":900}}');
    expect(readLayout()).toEqual({ layout: "balanced", shares: { focus: 80, balanced: 30 } });
    localStorage.setItem("edison-playground-layout", "{");
    expect(readLayout()).toEqual(FIRST_LAYOUT);
  });
});
