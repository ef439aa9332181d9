import type { Delivery, Destination, DestinationChannel } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export const CHANNELS: DestinationChannel[] = [
  { key: "email", title: "Email", is_signed: false },
  { key: "slack", title: "Slack", is_signed: false },
  { key: "webhook", title: "Webhook", is_signed: true },
];

export function aDestination(over: Partial<Destination> = {}): Destination {
  return {
    id: "d1",
    channel: "webhook",
    name: "On-call",
    target: "hooks.example.org",
    kinds: ["review_waiting"],
    includes_content: false,
    is_enabled: true,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    last_attempt_at: AT,
    last_failure: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}

export function aDelivery(over: Partial<Delivery> = {}): Delivery {
  return {
    id: "v1",
    message_id: "msg_v1",
    kind: "review_waiting",
    title: "Better replies #2: 3 suggestions to review",
    is_test: false,
    state: "waiting",
    attempts: 2,
    status: 500,
    answer: "Internal error",
    failure: "The receiver answered 500.",
    created_at: AT,
    last_attempt_at: AT,
    next_attempt_at: AT,
    delivered_at: null,
    ...over,
  };
}
