import type { Member, Project, SettingsRead, SignedIn } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aProject(over: Partial<Project> = {}): Project {
  return {
    id: "p1",
    slug: "support-answers",
    name: "Support answers",
    description: null,
    role: "OWNER",
    member_count: 2,
    is_demo: false,
    archived_at: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}

export function aMember(over: Partial<Member> = {}): Member {
  return {
    id: "m1",
    user_id: "u1",
    email: "ada@example.org",
    name: "Ada Lovelace",
    role: "EDITOR",
    joined_at: AT,
    is_self: false,
    ...over,
  };
}

export function someSettings(over: Partial<SettingsRead> = {}): SettingsRead {
  return {
    version: 1,
    default_budget_usd: "100.00",
    default_max_iterations: 10,
    allow_synthetic_datasets: true,
    require_review_approval: true,
    cost_alert_threshold: 0.8,
    retention_days: 90,
    updated_at: AT,
    ...over,
  };
}

export function aSignIn(): SignedIn {
  return {
    user: {
      id: "u1",
      email: "ada@example.org",
      name: "Ada Lovelace",
      has_password: true,
      is_local_owner: false,
      created_at: AT,
    },
    session: { id: "s1", expires_at: AT, remember_me: false },
  };
}
