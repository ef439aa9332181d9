import { describe, expect, it } from "vitest";
import {
  checkLimits,
  completed,
  credentialLimitSchema,
  modelLimitSchema,
  setLimits,
} from "./limit-schema";

const USUAL = { timeout_seconds: 60, concurrency: 8, retries: 2, max_tokens: 4096 };

describe("limits of calls", () => {
  it("shows what applies to empty fields", () => {
    const schema = modelLimitSchema(completed({ timeout_seconds: 900, retries: null }, USUAL));
    expect(Object.keys(schema.properties ?? {})).toEqual([
      "timeout_seconds",
      "concurrency",
      "retries",
    ]);
    expect(schema.properties?.timeout_seconds?.examples).toEqual([900]);
    expect(schema.properties?.retries?.examples).toEqual([2]);
  });

  it("sends only what is set, and keeps a zero", () => {
    expect(setLimits({ timeout_seconds: null, concurrency: undefined, retries: 0 })).toEqual({
      retries: 0,
    });
  });

  it("names the field that is out of range", () => {
    const errors = checkLimits(
      { timeout_seconds: 0, concurrency: 4 },
      credentialLimitSchema(USUAL),
    );
    expect(Object.keys(errors)).toEqual(["limits.timeout_seconds"]);
  });
});
