import { CirclePause, Coffee, Lock, PartyPopper, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/components/ui/empty-state";

/** Why the user has nothing to score. `busy`: others have claimed the remaining items. */
export type NoWorkReason = "paused" | "closed" | "notAsked" | "viewer" | "done" | "busy";

const ICONS: Record<NoWorkReason, ReactNode> = {
  paused: <CirclePause />,
  closed: <Lock />,
  notAsked: <UserX />,
  viewer: <UserX />,
  done: <PartyPopper />,
  busy: <Coffee />,
};

export function NothingToScore({ reason, action }: { reason: NoWorkReason; action?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={ICONS[reason]}
      title={t(`annotation.nothing.${reason}.title`)}
      description={t(`annotation.nothing.${reason}.body`)}
      action={action}
    />
  );
}
