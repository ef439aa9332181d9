import {
  Bell,
  CircleCheckBig,
  FlagTriangleRight,
  GitPullRequestArrow,
  HeartPulse,
  Siren,
  TriangleAlert,
  Unplug,
  Wallet,
  type LucideIcon,
} from "lucide-react";
import type { Notification, NotificationKind } from "@/api/types";

export const ICONS: Record<NotificationKind["icon"], LucideIcon> = {
  alert: Siren,
  budget: Wallet,
  done: CircleCheckBig,
  ended: FlagTriangleRight,
  failure: TriangleAlert,
  plug: Unplug,
  recovered: HeartPulse,
  review: GitPullRequestArrow,
};

const TONES: Record<NotificationKind["tone"], string> = {
  accent: "bg-accent-bg text-on-accent-bg",
  danger: "bg-danger-bg text-danger",
  warning: "bg-warning-bg text-warning",
  success: "bg-success-bg text-success",
  info: "bg-info-bg text-info",
};

/** Icon and colours of a notification; neutral for a kind that no longer exists. */
export function lookOf(kind: NotificationKind | undefined) {
  return kind === undefined
    ? { Icon: Bell, className: TONES.info }
    : { Icon: ICONS[kind.icon], className: TONES[kind.tone] };
}

/** The page to open, with the project's slug instead of its id. */
export function pathOf({ path, project_id: id }: Notification, slug: string): string {
  return path.replace(`/p/${id}`, `/p/${slug}`);
}
