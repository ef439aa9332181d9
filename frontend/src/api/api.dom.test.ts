import { describe, expect, it, vi } from "vitest";
import { answer, refuse } from "@/testing/fake-server";
import { api, onSignedOut, unwrap } from "./client";
import { parseRetryAfter, Problem } from "./problem";
import { affectedKeys } from "./project-events";
import { retryDelay, shouldRetry } from "./query-client";

describe("unwrap", () => {
  it("sends the CSRF cookie back as a header, on writes only", async () => {
    document.cookie = "edison_csrf=abc%3D1";
    const writes = answer("post", "auth/logout", null);
    const reads = answer("get", "auth/config", {});
    await unwrap(api.POST("/api/v1/auth/logout"));
    await unwrap(api.GET("/api/v1/auth/config"));
    expect(writes[0]?.headers.get("X-CSRF-Token")).toBe("abc=1");
    expect(reads[0]?.headers.get("X-CSRF-Token")).toBeNull();
  });

  it("throws the problem with its fields, trace id and waiting time", async () => {
    refuse("get", "auth/me", 429, { code: "TOO_MANY_REQUESTS" }, { "Retry-After": "7" });
    const error = await unwrap(api.GET("/api/v1/auth/me")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({
      status: 429,
      retryAfter: 7,
      traceId: "trace-1",
      isTransient: true,
    });
  });

  it("reports the end of a session, but not a wrong password", async () => {
    const left = vi.fn();
    onSignedOut(left);
    refuse("post", "auth/login", 401, { code: "INVALID_CREDENTIALS" });
    await unwrap(
      api.POST("/api/v1/auth/login", {
        body: { email: "a@b.c", password: "x", remember_me: false },
      }),
    ).catch(() => undefined);
    expect(left).not.toHaveBeenCalled();
    refuse("get", "auth/me", 401, { code: "UNAUTHORIZED" });
    await unwrap(api.GET("/api/v1/auth/me")).catch(() => undefined);
    expect(left).toHaveBeenCalledOnce();
  });
});

describe("Problem.fields", () => {
  it("takes one field from path when there are no details", () => {
    const taken = new Problem(409, { code: "EMAIL_TAKEN", message: "In use", path: "email" });
    expect(taken.fields).toEqual([{ field: "email", message: "In use", code: "EMAIL_TAKEN" }]);
  });
});

describe("parseRetryAfter", () => {
  it("reads seconds and dates", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(parseRetryAfter("30")).toBe(30);
    expect(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60);
    expect(parseRetryAfter("later")).toBeNull();
  });
});

describe("retrying reads", () => {
  const busy = new Problem(429, { code: "TOO_MANY_REQUESTS", message: "" }, 7);
  it("waits as long as the server asks", () => {
    expect(shouldRetry(0, busy)).toBe(true);
    expect(retryDelay(0, busy)).toBe(7000);
  });
  it("gives up on a refusal, on endless failure and on a quarter of an hour", () => {
    expect(shouldRetry(0, new Problem(403, { code: "FORBIDDEN", message: "" }))).toBe(false);
    expect(shouldRetry(4, busy)).toBe(false);
    expect(shouldRetry(0, new Problem(429, { code: "ACCOUNT_LOCKED", message: "" }, 900))).toBe(
      false,
    );
  });
});

describe("affectedKeys", () => {
  it("invalidates members, invitations and the user's own role after a member change", () => {
    expect(affectedKeys("member.changed", "demo")).toEqual([
      ["projects", "demo", "members"],
      ["projects", "demo", "invitations"],
      ["projects", "demo", {}],
      ["projects", {}],
      ["projects", "demo", "audit"],
      ["projects", "demo", "home"],
    ]);
  });
  it("leaves other lists alone when settings change", () => {
    expect(affectedKeys("settings.changed", "demo")).toEqual([
      ["projects", "demo", "settings"],
      ["projects", "demo", "retention"],
      ["projects", "demo", "audit"],
      ["projects", "demo", "home"],
    ]);
  });
  it("ignores events it does not know", () => {
    expect(affectedKeys("toString", "demo")).toEqual([]);
    expect(affectedKeys("run.finished", "demo")).toEqual([]);
  });
});
