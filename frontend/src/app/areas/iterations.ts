import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { METRICS, ROW_STATUSES } from "@/components/grid/answers-view";
import { CASE_SETS, ITERATION_TABS } from "@/features/iterations/iteration-view";
import { CASE_ORDERS, scoreParam } from "@/features/iterations/outputs/outputs-view";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
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
      columns: textParam(search.columns),
      order: choiceParam(search.order, CASE_ORDERS),
      criterion: textParam(search.criterion),
      score: scoreParam(search.score),
      facet: textParam(search.facet),
      flagged: flagParam(search.flagged),
      apart: flagParam(search.apart),
      case: textParam(search.case),
    }),
  component: lazyRouteComponent(() => import("../routes/iteration-route"), "IterationRoute"),
});

export const iterationRoutes = [iterationRoute] as const;
