import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Notification, NotificationKind, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { cn } from "@/lib/cn";
import { lookOf, pathOf } from "./kinds";

export interface NotificationItemProps {
  notification: Notification;
  /** Undefined when the kind no longer exists. */
  kind: NotificationKind | undefined;
  /** Undefined when the user has left the project: there is no link. */
  project: Project | undefined;
  /** Called when the link was followed. */
  onFollowed?: () => void;
}

function Words({ notification, project }: Omit<NotificationItemProps, "kind" | "onFollowed">) {
  const { t } = useTranslation();
  const isUnread = notification.read_at === null;
  return (
    <>
      {isUnread ? <span className="sr-only">{t("notifications.unread")} </span> : null}
      <span
        className={cn(
          "text-sm wrap-anywhere",
          isUnread ? "font-medium text-ink" : "text-ink-muted",
        )}
      >
        {notification.title}
      </span>
      <span className="text-xs text-pretty wrap-anywhere text-ink-muted">{notification.body}</span>
      <span className="text-xs text-ink-subtle">
        {project?.name ?? t("notifications.leftProject")} ·{" "}
        <RelativeTime iso={notification.created_at} />
      </span>
    </>
  );
}

/** One notification with a link to its subject. */
export function NotificationItem(props: NotificationItemProps) {
  const { notification, kind, project, onFollowed } = props;
  const { t } = useTranslation();
  const markRead = useChange("post", "/notifications/{notification_id}/read", {
    notification_id: notification.id,
  });
  const isUnread = notification.read_at === null;
  const { Icon, className } = lookOf(kind);
  const read = () => {
    if (isUnread) {
      markRead.mutate(undefined, {
        onError: (error) => toast.error(problemMessage(error)),
      });
    }
  };
  const words = <Words notification={notification} project={project} />;
  return (
    <li
      className={cn(
        "group relative flex items-start gap-3 px-4 py-3",
        project !== undefined && "hover:bg-surface-hover",
      )}
    >
      <span
        aria-hidden
        className={cn(
          "mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-lg [&_svg]:size-4",
          className,
        )}
      >
        <Icon />
      </span>
      {project === undefined ? (
        <div className="grid min-w-0 flex-1 gap-0.5">{words}</div>
      ) : (
        <Link
          to={pathOf(notification, project.slug)}
          className="grid min-w-0 flex-1 gap-0.5 rounded-sm after:absolute after:inset-0"
          onClick={() => {
            read();
            onFollowed?.();
          }}
        >
          {words}
        </Link>
      )}
      {isUnread ? (
        <span className="relative z-10 flex size-7 shrink-0 items-center justify-center">
          <span
            aria-hidden
            className="size-2 rounded-full bg-accent-solid group-focus-within:opacity-0 group-hover:opacity-0"
          />
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            className="absolute inset-0 size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
            aria-label={t("notifications.markRead", { title: notification.title })}
            title={t("notifications.markReadShort")}
            onClick={read}
          >
            <Check aria-hidden />
          </Button>
        </span>
      ) : null}
    </li>
  );
}
