import { describe, expect, it } from "vitest";
import { applyTryEvent, countDown, IDLE, readTryEvent, type TryEvent } from "./try-state";

const ANSWER = {
  text: "Paris.",
  finish_reason: "stop",
  model: "sim-small",
  is_cached: false,
  is_simulated: true,
  usage: {
    input_tokens: 5,
    output_tokens: 2,
    cached_input_tokens: 0,
    reasoning_tokens: 0,
    is_estimated: false,
  },
  cost_usd: "0.000012",
  price_version: "sim",
  latency_seconds: 0.4,
  first_token_seconds: 0.1,
  attempts: 1,
  waited_seconds: 0,
  ignored_parameters: [],
  request_id: null,
};
const FAILURE = {
  reason: "rate_limit",
  message: "Too many calls.",
  attempts: 3,
  cost_usd: null,
  waited_seconds: 4,
  usage: null,
};
const NOW = 1_000_000;

function read(name: string, data: object): TryEvent {
  const event = readTryEvent({ name, data: JSON.stringify(data) }, NOW);
  if (event === null) {
    throw new Error(`${name} was not understood`);
  }
  return event;
}

function applyAll(...events: TryEvent[]) {
  return [{ type: "started" } as const, ...events].reduce(applyTryEvent, IDLE);
}

describe("reading events of a try", () => {
  it("turns seconds to wait into a moment", () => {
    const event = read("waiting", { reason: "rate_limit", seconds: 12, sentence: "Wait, 12 s" });
    expect(event).toEqual({
      type: "waiting",
      waiting: { sentence: "Wait, 12 s", until: NOW + 12_000 },
    });
  });
  it("passes over names and bodies that it does not know", () => {
    expect(readTryEvent({ name: "news", data: "{}" }, NOW)).toBeNull();
    expect(readTryEvent({ name: "delta", data: "not json" }, NOW)).toBeNull();
    expect(readTryEvent({ name: "answered", data: '{"text": "x"}' }, NOW)).toBeNull();
  });
  it("keeps fields of later versions from getting in the way", () => {
    expect(read("answered", { ...ANSWER, tool_calls: [], novelty: 1 }).type).toBe("answered");
  });
});

describe("a try", () => {
  it("grows the text piece by piece and ends with the whole answer", () => {
    const state = applyAll(read("delta", { text: "Par" }), read("delta", { text: "is" }));
    expect(state).toMatchObject({ phase: "running", text: "Paris" });
    expect(applyTryEvent(state, read("answered", ANSWER))).toMatchObject({
      phase: "answered",
      text: "Paris.",
      answer: { cost_usd: "0.000012" },
    });
  });
  it("shows why it waits until text arrives", () => {
    const waiting = read("waiting", { reason: "concurrency", seconds: null, sentence: "Wait" });
    const state = applyAll(waiting);
    expect(state.waiting).toEqual({ sentence: "Wait", until: null });
    expect(applyTryEvent(state, read("delta", { text: "x" })).waiting).toBeNull();
  });
  it("starts the text over when an attempt is repeated", () => {
    expect(applyAll(read("delta", { text: "half" }), read("restarted", {})).text).toBe("");
  });
  it("keeps the text that came before a failure", () => {
    expect(applyAll(read("delta", { text: "half" }), read("failed", FAILURE))).toMatchObject({
      phase: "failed",
      text: "half",
      failure: { reason: "rate_limit" },
    });
  });
  it("ignores what arrives after it was stopped", () => {
    const stopped = applyAll(read("delta", { text: "half" }), { type: "stopped" });
    expect(applyTryEvent(stopped, read("delta", { text: " more" }))).toBe(stopped);
  });
  it("forgets the last answer when it is run again", () => {
    const again = applyTryEvent(applyAll(read("answered", ANSWER)), { type: "started" });
    expect(again).toEqual({ ...IDLE, phase: "running" });
  });
});

describe("counting down", () => {
  it("says how many seconds are left", () => {
    const waiting = { sentence: "Waiting for OpenAI's rate limit, 12 s", until: NOW };
    expect(countDown(waiting, 7)).toBe("Waiting for OpenAI's rate limit, 7 s");
  });
  it("leaves a sentence without an end as it is", () => {
    const waiting = { sentence: "Waiting for a free slot, 8 calls are in progress", until: null };
    expect(countDown(waiting, 0)).toBe(waiting.sentence);
  });
});
