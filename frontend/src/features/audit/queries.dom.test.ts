import { describe, expect, it } from "vitest";
import { exportAddress, toQuery } from "./queries";

describe("the filters of the audit log", () => {
  it("leave out what is empty", () => {
    expect(toQuery({ q: "", actor: "ada", action: undefined })).toEqual({ actor: "ada" });
  });

  it("cover whole local days", () => {
    const { since = "", until = "" } = toQuery({ since: "2026-01-15", until: "2026-01-15" });
    expect(Date.parse(until) - Date.parse(since)).toBe(24 * 60 * 60 * 1000 - 1);
    expect(new Date(since).getHours()).toBe(0);
  });

  it("are those of the export", () => {
    expect(exportAddress("a b", { outcome: "denied" }, "csv")).toBe(
      "/api/v1/projects/a%20b/audit/export?outcome=denied&format=csv",
    );
  });
});
