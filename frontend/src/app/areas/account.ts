import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { choiceParam, definedOnly, type RawSearch } from "@/lib/search";
import { signedInRoute } from "./frame";

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/account",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      tab: choiceParam(search.tab, [
        "security",
        "sessions",
        "tokens",
        "notifications",
        "appearance",
      ] as const),
    }),
  component: lazyRouteComponent(() => import("../routes/account-route"), "AccountRoute"),
});

export const accountRoutes = [accountRoute] as const;
