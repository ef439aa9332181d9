import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { EXPERIMENT_STATES, LIST_STATUSES } from "@/features/experiments/experiment-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const experimentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments",
  staticData: {
    page: {
      key: "experiments",
      guide: "experiments",
      group: "improve",
      icon: FlaskConical,
      shortcut: "g e",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, EXPERIMENT_STATES),
      status: choiceParam(search.status, LIST_STATUSES),
    }),
  component: lazyRouteComponent(() => import("../routes/experiments-route"), "ExperimentsRoute"),
});

const experimentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/$experimentId",
  component: lazyRouteComponent(() => import("../routes/experiment-route"), "ExperimentRoute"),
});

const experimentReportRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/$experimentId/report",
  component: lazyRouteComponent(
    () => import("../routes/experiment-report-route"),
    "ExperimentReportRoute",
  ),
});

const experimentCompareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/experiments/$experimentId/compare/$otherId",
  component: lazyRouteComponent(
    () => import("../routes/experiment-compare-route"),
    "ExperimentCompareRoute",
  ),
});

export const experimentRoutes = [
  experimentsRoute,
  experimentRoute,
  experimentReportRoute,
  experimentCompareRoute,
] as const;
