import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, BellOff, CheckCheck } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { toast } from "@/components/ui/toast";
import { NotificationList, NotificationSkeleton } from "./notification-list";
import { latestQuery, unreadCountQuery } from "./queries";

const MOST_SHOWN = 99;

function Latest({ onFollowed }: { onFollowed: () => void }) {
  const { t } = useTranslation();
  const latest = useQuery(latestQuery);
  if (latest.isPending) {
    return <NotificationSkeleton />;
  }
  if (latest.isError) {
    return (
      <div className="p-4">
        <ProblemState error={latest.error} onRetry={() => void latest.refetch()} />
      </div>
    );
  }
  if (latest.data.items.length === 0) {
    return (
      <EmptyState
        bare
        icon={<BellOff />}
        title={t("notifications.empty")}
        description={t("notifications.emptyHint")}
      />
    );
  }
  return (
    <NotificationList
      label={t("notifications.latest")}
      notifications={latest.data.items}
      onFollowed={onFollowed}
    />
  );
}

function BellHeader({ unread }: { unread: number }) {
  const { t } = useTranslation();
  const markAll = useChange("post", "/notifications/read-all", {});
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-b border-border px-4 py-2">
      <h2 className="text-sm font-semibold">{t("notifications.title")}</h2>
      {unread === 0 ? null : (
        <Button
          variant="ghost"
          size="sm"
          loading={markAll.isPending}
          onClick={() =>
            markAll.mutate(undefined, {
              onError: (error) => toast.error(problemMessage(error)),
            })
          }
        >
          <CheckCheck aria-hidden />
          {t("notifications.markAllRead")}
        </Button>
      )}
    </div>
  );
}

/** Unread count and latest notifications, on every page. */
export function NotificationBell() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const unread = useQuery(unreadCountQuery).data?.count ?? 0;
  const close = () => setOpen(false);
  const label =
    unread === 0 ? t("notifications.title") : t("notifications.bell", { count: unread });
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          className="relative"
          aria-label={label}
          title={label}
        >
          <Bell aria-hidden />
          {unread === 0 ? null : (
            <span
              aria-hidden
              className="absolute -top-0.5 -right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent-solid px-1 text-[10px] leading-none font-semibold text-on-accent tabular-nums"
            >
              {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
            </span>
          )}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t("notifications.title")}
          className="z-50 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-[min(26rem,calc(100vw-1rem))] animate-scale-in flex-col overflow-hidden rounded-lg border border-border-strong bg-raised shadow-lg focus:outline-none"
        >
          <BellHeader unread={unread} />
          <div className="min-h-0 flex-1 overflow-y-auto">
            <Latest onFollowed={close} />
          </div>
          <div className="flex items-center justify-between gap-2 border-t border-border bg-surface px-2 py-1.5">
            <Button variant="ghost" size="sm" asChild>
              <Link to="/notifications" onClick={close}>
                {t("notifications.showAll")}
              </Link>
            </Button>
            <Button variant="ghost" size="sm" asChild>
              <Link to="/account" search={{ tab: "notifications" }} onClick={close}>
                {t("notifications.preferences.action")}
              </Link>
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
