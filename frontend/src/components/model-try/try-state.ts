import { z } from "zod";
import type { StreamEvent } from "@/api/event-stream";

const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number(),
  reasoning_tokens: z.number(),
  is_estimated: z.boolean(),
});

const answered = z.object({
  text: z.string(),
  finish_reason: z.string(),
  model: z.string(),
  is_cached: z.boolean(),
  is_simulated: z.boolean(),
  usage: usage.nullable(),
  cost_usd: z.string().nullable(),
  price_version: z.string().nullable(),
  latency_seconds: z.number(),
  first_token_seconds: z.number().nullable(),
  attempts: z.number(),
  waited_seconds: z.number(),
  ignored_parameters: z.array(z.string()),
  request_id: z.string().nullable(),
});
export type Answered = z.infer<typeof answered>;

const failed = z.object({
  reason: z.string(),
  message: z.string(),
  attempts: z.number(),
  cost_usd: z.string().nullable(),
  waited_seconds: z.number(),
  usage: usage.nullable(),
});
export type Failed = z.infer<typeof failed>;

const delta = z.object({ text: z.string() });
const waiting = z.object({
  reason: z.string(),
  seconds: z.number().nullable(),
  sentence: z.string(),
});

export interface Waiting {
  sentence: string;
  /** End of the wait, in milliseconds since the epoch; null when unknown. */
  until: number | null;
}

export type TryEvent =
  | { type: "started" }
  | { type: "delta"; text: string }
  | { type: "waiting"; waiting: Waiting }
  | { type: "restarted" }
  | { type: "answered"; answer: Answered }
  | { type: "failed"; failure: Failed }
  /** Refused before the model was called, or disconnected. */
  | { type: "refused"; code: string; message: string }
  | { type: "stopped" };

export interface TryState {
  phase: "idle" | "running" | "answered" | "failed" | "stopped";
  text: string;
  waiting: Waiting | null;
  answer: Answered | null;
  failure: Failed | null;
  refusal: { code: string; message: string } | null;
}

export const IDLE: TryState = {
  phase: "idle",
  text: "",
  waiting: null,
  answer: null,
  failure: null,
  refusal: null,
};

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** Parses an event of the stream; null for unknown events. */
export function readTryEvent({ name, data }: StreamEvent, now: number): TryEvent | null {
  const value = parse(data);
  switch (name) {
    case "delta": {
      const found = delta.safeParse(value);
      return found.success ? { type: "delta", text: found.data.text } : null;
    }
    case "waiting": {
      const found = waiting.safeParse(value);
      if (!found.success) {
        return null;
      }
      const { sentence, seconds } = found.data;
      const until = seconds === null ? null : now + seconds * 1000;
      return { type: "waiting", waiting: { sentence, until } };
    }
    case "restarted":
      return { type: "restarted" };
    case "answered": {
      const found = answered.safeParse(value);
      return found.success ? { type: "answered", answer: found.data } : null;
    }
    case "failed": {
      const found = failed.safeParse(value);
      return found.success ? { type: "failed", failure: found.data } : null;
    }
    default:
      return null;
  }
}

/** Events after the end are ignored. */
export function applyTryEvent(state: TryState, event: TryEvent): TryState {
  if (event.type === "started") {
    return { ...IDLE, phase: "running" };
  }
  if (state.phase !== "running") {
    return state;
  }
  switch (event.type) {
    case "delta":
      return { ...state, text: state.text + event.text, waiting: null };
    case "waiting":
      return { ...state, waiting: event.waiting };
    case "restarted":
      return { ...state, text: "" };
    case "answered":
      return {
        ...state,
        phase: "answered",
        text: event.answer.text,
        answer: event.answer,
        waiting: null,
      };
    case "failed":
      return { ...state, phase: "failed", failure: event.failure, waiting: null };
    case "refused":
      return {
        ...state,
        phase: "failed",
        refusal: { code: event.code, message: event.message },
        waiting: null,
      };
    case "stopped":
      return { ...state, phase: "stopped", waiting: null };
  }
}

/** Fills in the remaining seconds, as in "…rate limit, 12 s". */
export function countDown({ sentence, until }: Waiting, secondsLeft: number): string {
  return until === null ? sentence : sentence.replace(/\d+ s$/, `${secondsLeft} s`);
}
