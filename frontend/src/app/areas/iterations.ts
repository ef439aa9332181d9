import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { METRICS, ROW_STATUSES } from "@/components/grid/answers-view";
import { CASE_SETS, ITERATION_TABS } from "@/features/iterations/iteration-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const iterationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/$experimentId/iterations/$iterationId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      tab: choiceParam(search.tab, ITERATION_TABS),
      cases: choiceParam(search.cases, CASE_SETS),
      q: textParam(search.q),
      status: choiceParam(search.status, ROW_STATUSES),
      metric: choiceParam(search.metric, METRICS),
      output: textParam(search.output),
    }),
  component: lazyRouteComponent(() => import("../routes/iteration-route"), "IterationRoute"),
});

export const iterationRoutes = [iterationRoute] as const;
