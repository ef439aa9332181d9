import { describe, expect, it } from "vitest";
import { atLeast, can, canRemove, grantableRoles } from "./permissions";

describe("permissions", () => {
  it("orders roles from viewer to owner", () => {
    expect(atLeast("ADMIN", "EDITOR")).toBe(true);
    expect(atLeast("REVIEWER", "EDITOR")).toBe(false);
    expect(atLeast("OWNER", "OWNER")).toBe(true);
  });
  it("lets only owners delete a project or pass it on", () => {
    expect(can("ADMIN", "project.delete")).toBe(false);
    expect(can("ADMIN", "ownership.transfer")).toBe(false);
    expect(can("OWNER", "project.delete")).toBe(true);
  });
  it("lets admins manage members but not touch owners nor make them", () => {
    expect(grantableRoles("ADMIN", "EDITOR")).toEqual(["VIEWER", "REVIEWER", "EDITOR", "ADMIN"]);
    expect(grantableRoles("ADMIN", "OWNER")).toEqual([]);
    expect(canRemove("ADMIN", "OWNER")).toBe(false);
    expect(canRemove("ADMIN", "ADMIN")).toBe(true);
  });
  it("gives editors no say over members", () => {
    expect(grantableRoles("EDITOR", "VIEWER")).toEqual([]);
    expect(canRemove("EDITOR", "VIEWER")).toBe(false);
  });
  it("lets an owner make another owner", () => {
    expect(grantableRoles("OWNER", "ADMIN")).toContain("OWNER");
  });
});
