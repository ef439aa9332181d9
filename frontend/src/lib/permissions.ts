/**
 * Permissions of each role in the interface. The server enforces them; this only hides what it
 * would refuse.
 */
export const ROLES = ["VIEWER", "REVIEWER", "EDITOR", "ADMIN", "OWNER"] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

const NEEDED = {
  "settings.edit": "ADMIN",
  "members.manage": "ADMIN",
  "project.rename": "ADMIN",
  "project.archive": "ADMIN",
  "audit.read": "ADMIN",
  "operations.read": "ADMIN",
  "credentials.manage": "ADMIN",
  "budgets.manage": "ADMIN",
  "destinations.manage": "ADMIN",
  "prompts.edit": "EDITOR",
  "datasets.edit": "EDITOR",
  "models.manage": "EDITOR",
  "models.try": "EDITOR",
  "runs.start": "EDITOR",
  "scorers.edit": "EDITOR",
  "experiments.edit": "EDITOR",
  "monitors.edit": "EDITOR",
  "abTests.edit": "EDITOR",
  "optimizations.edit": "EDITOR",
  "outputs.score": "REVIEWER",
  "reviews.decide": "REVIEWER",
  "annotation.manage": "EDITOR",
  "project.delete": "OWNER",
  "ownership.transfer": "OWNER",
  "security.edit": "OWNER",
} as const satisfies Record<string, Role>;

export type Action = keyof typeof NEEDED;

export function can(role: Role, action: Action): boolean {
  return atLeast(role, NEEDED[action]);
}

/** Roles available for invitations. */
export const INVITABLE_ROLES = ["VIEWER", "REVIEWER", "EDITOR", "ADMIN"] as const satisfies Role[];
export type InvitableRole = (typeof INVITABLE_ROLES)[number];

/** Roles that `actor` may grant to a member who now has `target`; empty when none. */
export function grantableRoles(actor: Role, target: Role): readonly Role[] {
  if (!can(actor, "members.manage")) {
    return [];
  }
  if (target === "OWNER" && actor !== "OWNER") {
    return [];
  }
  return actor === "OWNER" ? ROLES : INVITABLE_ROLES;
}

export function canRemove(actor: Role, target: Role): boolean {
  return can(actor, "members.manage") && (actor === "OWNER" || target !== "OWNER");
}
