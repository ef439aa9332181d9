import {
  BellRing,
  CircleCheckBig,
  CirclePause,
  FlagTriangleRight,
  GitPullRequestArrow,
  HeartPulse,
  TriangleAlert,
  Wallet,
  type LucideIcon,
} from "lucide-react";
import type { Notification, NotificationKind } from "@/api/types";

/** Display order: kinds that need an action first. */
export const KINDS = [
  "review_waiting",
  "alert_opened",
  "partial_failure",
  "budget_alert",
  "monitor_paused",
  "alert_recovered",
  "run_finished",
  "experiment_ended",
] as const satisfies readonly NotificationKind[];

export const KIND_LOOKS: Record<NotificationKind, { Icon: LucideIcon; className: string }> = {
  review_waiting: { Icon: GitPullRequestArrow, className: "bg-accent-bg text-on-accent-bg" },
  partial_failure: { Icon: TriangleAlert, className: "bg-danger-bg text-danger" },
  budget_alert: { Icon: Wallet, className: "bg-warning-bg text-warning" },
  alert_opened: { Icon: BellRing, className: "bg-danger-bg text-danger" },
  alert_recovered: { Icon: HeartPulse, className: "bg-success-bg text-success" },
  monitor_paused: { Icon: CirclePause, className: "bg-warning-bg text-warning" },
  run_finished: { Icon: CircleCheckBig, className: "bg-success-bg text-success" },
  experiment_ended: { Icon: FlagTriangleRight, className: "bg-info-bg text-info" },
};

/** Page of the project where the user can act on it. */
export type NotificationTarget =
  | { to: "/p/$slug/reviews"; params: { slug: string }; search: { experiment: string } }
  | { to: "/p/$slug/reviews/$suggestionId"; params: { slug: string; suggestionId: string } }
  | { to: "/p/$slug/budgets"; params: { slug: string } }
  | {
      to: "/p/$slug/experiments/$experimentId";
      params: { slug: string; experimentId: string };
    }
  | {
      to: "/p/$slug/experiments/$experimentId/iterations/$iterationId";
      params: { slug: string; experimentId: string; iterationId: string };
    }
  | { to: "/p/$slug"; params: { slug: string } };

/** The part of the subject to open, when the notification names one. */
function partOf(notification: Notification, slug: string): NotificationTarget | null {
  const { entity_id: experimentId, part_type: type, part_id: id } = notification;
  if (id === null) {
    return null;
  }
  if (type === "suggestion") {
    return { to: "/p/$slug/reviews/$suggestionId", params: { slug, suggestionId: id } };
  }
  return type === "iteration"
    ? {
        to: "/p/$slug/experiments/$experimentId/iterations/$iterationId",
        params: { slug, experimentId, iterationId: id },
      }
    : null;
}

export function placeOf(notification: Notification, slug: string): NotificationTarget {
  const part = partOf(notification, slug);
  if (part !== null) {
    return part;
  }
  if (notification.kind === "review_waiting") {
    return {
      to: "/p/$slug/reviews",
      params: { slug },
      search: { experiment: notification.entity_id },
    };
  }
  if (notification.entity_type === "experiment") {
    return {
      to: "/p/$slug/experiments/$experimentId",
      params: { slug, experimentId: notification.entity_id },
    };
  }
  return notification.entity_type === "budget"
    ? { to: "/p/$slug/budgets", params: { slug } }
    : { to: "/p/$slug", params: { slug } };
}
