import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { signedInRoute } from "./frame";

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/notifications",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      unread: flagParam(search.unread),
      kind: textParam(search.kind),
      project: textParam(search.project),
    }),
  component: lazyRouteComponent(
    () => import("../routes/notifications-route"),
    "NotificationsRoute",
  ),
});

export const notificationRoutes = [notificationsRoute] as const;
