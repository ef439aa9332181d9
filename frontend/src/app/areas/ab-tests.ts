import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Split } from "lucide-react";
import { AB_TEST_STATES, LIST_STATUSES } from "@/features/ab-tests/ab-test-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const abTestsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ab-tests",
  staticData: {
    page: { key: "abTests", guide: "ab-tests", group: "improve", icon: Split, shortcut: "g x" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, AB_TEST_STATES),
      status: choiceParam(search.status, LIST_STATUSES),
    }),
  component: lazyRouteComponent(() => import("../routes/ab-tests-route"), "AbTestsRoute"),
});

const newAbTestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ab-tests/new",
  component: lazyRouteComponent(() => import("../routes/ab-test-form-route"), "NewAbTestRoute"),
});

const abTestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ab-tests/$testId",
  component: lazyRouteComponent(() => import("../routes/ab-tests-route"), "AbTestRoute"),
});

const editAbTestRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/ab-tests/$testId/edit",
  component: lazyRouteComponent(() => import("../routes/ab-test-form-route"), "EditAbTestRoute"),
});

export const abTestRoutes = [abTestsRoute, newAbTestRoute, abTestRoute, editAbTestRoute] as const;
