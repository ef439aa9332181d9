import { pages, query } from "@/api/queries";

const LATEST = 8;
const PAGE_SIZE = 30;
/** Events cover only the open project; other projects are polled. */
const POLL_EVERY_MS = 60_000;

export interface NotificationFilters {
  unread?: true | undefined;
  /** Key of a kind. */
  kind?: string | undefined;
  /** Project id. */
  project?: string | undefined;
}

export const unreadCountQuery = query(
  "/notifications/unread-count",
  {},
  { refetchInterval: POLL_EVERY_MS },
);

export const latestQuery = query("/notifications", { query: { limit: LATEST } });

export const notificationsQuery = ({ unread, kind, project }: NotificationFilters) =>
  pages("/notifications", {
    query: { limit: PAGE_SIZE, is_unread: unread, kind, project_id: project },
  });

export const preferencesQuery = query("/notifications/preferences", {});
