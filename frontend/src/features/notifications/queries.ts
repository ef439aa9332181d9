import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { NotificationKind, NotificationPreference } from "@/api/types";

const LATEST = 8;
const PAGE_SIZE = 30;
/** Events tell of the project that is open; what happens in the others is asked for. */
const ASK_EVERY_MS = 60_000;

export interface NotificationFilters {
  unread?: true | undefined;
  kind?: NotificationKind | undefined;
  /** The id of a project. */
  project?: string | undefined;
}

export const unreadCountQuery = queryOptions({
  queryKey: keys.notificationPart("unread-count"),
  queryFn: ({ signal }) => unwrap(api.GET("/api/v1/notifications/unread-count", { signal })),
  refetchInterval: ASK_EVERY_MS,
});

export const latestQuery = queryOptions({
  queryKey: keys.notificationPart("latest"),
  queryFn: ({ signal }) =>
    unwrap(api.GET("/api/v1/notifications", { signal, params: { query: { limit: LATEST } } })),
});

export const notificationsQuery = ({ unread, kind, project }: NotificationFilters) =>
  infiniteQueryOptions({
    queryKey: keys.notificationPart("list", { unread, kind, project }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/notifications", {
          signal,
          params: {
            query: {
              limit: PAGE_SIZE,
              ...(pageParam === null ? {} : { cursor: pageParam }),
              ...(unread === undefined ? {} : { is_unread: true }),
              ...(kind === undefined ? {} : { kind }),
              ...(project === undefined ? {} : { project_id: project }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const preferencesQuery = queryOptions({
  queryKey: keys.notificationPart("preferences"),
  queryFn: ({ signal }) => unwrap(api.GET("/api/v1/notifications/preferences", { signal })),
});

export function useMarkRead() {
  return useRefreshingMutation([keys.notifications], (notificationId: string) =>
    unwrap(
      api.POST("/api/v1/notifications/{notification_id}/read", {
        params: { path: { notification_id: notificationId } },
      }),
    ),
  );
}

export function useMarkAllRead() {
  return useRefreshingMutation([keys.notifications], () =>
    unwrap(api.POST("/api/v1/notifications/read-all")),
  );
}

export function useChangePreference() {
  return useRefreshingMutation(
    [keys.notificationPart("preferences")],
    (preference: NotificationPreference) =>
      unwrap(api.PUT("/api/v1/notifications/preferences", { body: { preferences: [preference] } })),
  );
}
