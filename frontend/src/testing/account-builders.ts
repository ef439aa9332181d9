import type { AuditEntry, Notification, NotificationKind, SessionRead } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aNotification(over: Partial<Notification> = {}): Notification {
  return {
    id: "n1",
    kind: "review_waiting",
    project_id: "p1",
    entity_type: "experiment",
    entity_id: "e1",
    part_type: null,
    part_id: null,
    path: "/p/p1/experiments/e1",
    title: "Better replies #2: 3 suggestions to review",
    body: "Approve one, edit it, or reject them with a reason.",
    created_at: AT,
    read_at: null,
    ...over,
  };
}

export function aNotificationKind(over: Partial<NotificationKind> = {}): NotificationKind {
  return {
    kind: "review_waiting",
    label: "Review requested",
    hint: "A suggestion is awaiting review.",
    tone: "accent",
    icon: "review",
    in_app: true,
    by_email: true,
    facts: null,
    ...over,
  };
}

export function aSession(over: Partial<SessionRead> = {}): SessionRead {
  return {
    id: "s1",
    address: "192.0.2.7",
    user_agent: null,
    is_current: false,
    remember_me: false,
    created_at: AT,
    last_seen_at: AT,
    expires_at: AT,
    ...over,
  };
}

export function anAuditEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: "a1",
    at: AT,
    actor: "ada@example.org",
    action: "prompt.create",
    entity_type: "prompt",
    entity_id: "pr1",
    outcome: "allowed",
    address: "192.0.2.7",
    trace_id: "trace-1",
    before: null,
    after: { name: "Reply" },
    ...over,
  };
}
