import { query } from "./queries";

/** Kinds of notifications, those that need an action first. */
export const notificationKindsQuery = query("/notifications/kinds", {}, { staleTime: Infinity });
