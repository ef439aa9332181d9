import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import { definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const settingsLayoutRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings",
  staticData: {
    page: {
      key: "settings",
      guide: "getting-started",
      group: "configure",
      icon: Settings,
      shortcut: "g s",
    },
  },
  component: lazyRouteComponent(() => import("../routes/settings-layout"), "SettingsLayout"),
});

const settingsRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../routes/settings-route"), "SettingsRoute"),
});

const providersRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: "/providers",
  validateSearch: (search: RawSearch) =>
    definedOnly({ add: textParam(search.add), next: textParam(search.next) }),
  component: lazyRouteComponent(() => import("../routes/providers-route"), "ProvidersRoute"),
});

const destinationsRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: "/destinations",
  component: lazyRouteComponent(() => import("../routes/destinations-route"), "DestinationsRoute"),
});

export const settingsRoutes = [
  settingsLayoutRoute.addChildren([settingsRoute, providersRoute, destinationsRoute]),
] as const;
