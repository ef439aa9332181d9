import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { KINDS } from "@/features/notifications/kinds";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { signedInRoute } from "./frame";

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/notifications",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      unread: flagParam(search.unread),
      kind: choiceParam(search.kind, KINDS),
      project: textParam(search.project),
    }),
  component: lazyRouteComponent(
    () => import("../routes/notifications-route"),
    "NotificationsRoute",
  ),
});

export const notificationRoutes = [notificationsRoute] as const;
