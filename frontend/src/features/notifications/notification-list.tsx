import { useQuery } from "@tanstack/react-query";
import { notificationKindsQuery } from "@/api/notification-kinds";
import { projectChoicesQuery } from "@/api/projects";
import type { Notification } from "@/api/types";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { NotificationItem } from "./notification-item";

export interface NotificationListProps {
  /** Accessible name of the list. */
  label: string;
  notifications: readonly Notification[];
  className?: string;
  onFollowed?: () => void;
}

export function NotificationList(props: NotificationListProps) {
  const { label, notifications, className, onFollowed } = props;
  const projects = useQuery(projectChoicesQuery).data;
  const kinds = useQuery(notificationKindsQuery).data?.items;
  if (projects === undefined) {
    return <NotificationSkeleton count={Math.min(notifications.length, 4)} />;
  }
  return (
    <ul aria-label={label} className={cn("divide-y divide-border", className)}>
      {notifications.map((notification) => (
        <NotificationItem
          key={notification.id}
          notification={notification}
          kind={kinds?.find(({ kind }) => kind === notification.kind)}
          project={projects.find(({ id }) => id === notification.project_id)}
          {...(onFollowed === undefined ? {} : { onFollowed })}
        />
      ))}
    </ul>
  );
}

export function NotificationSkeleton({ count = 4 }: { count?: number }) {
  return (
    <LoadingStatus>
      <div className="divide-y divide-border">
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className="flex gap-3 px-4 py-3">
            <Skeleton className="size-7 shrink-0 rounded-lg" />
            <div className="grid flex-1 gap-2 py-0.5">
              <Skeleton className="h-3.5 w-3/4" />
              <Skeleton className="h-3 w-full" />
              <Skeleton className="h-3 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </LoadingStatus>
  );
}
