import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { METRICS, ROW_STATUSES } from "@/components/grid/answers-view";
import { RUN_STATES } from "@/features/runs/run-state";
import { RUN_TABS } from "@/features/runs/run-view";
import {
  choiceParam,
  definedOnly,
  flagParam,
  positionParam,
  textParam,
  type RawSearch,
} from "@/lib/search";
import { projectRoute } from "./frame";

const runsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/runs",
  staticData: {
    page: { key: "runs", guide: "runs", group: "evaluate", icon: ListChecks, shortcut: "g u" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, RUN_STATES),
      origin: textParam(search.origin),
      prompt: textParam(search.prompt),
      model: textParam(search.model),
      dataset: textParam(search.dataset),
      active: flagParam(search.active),
      status: choiceParam(search.status, ["archived"]),
    }),
  component: lazyRouteComponent(() => import("../routes/runs-route"), "RunsRoute"),
});

const newRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/runs/new",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      prompt: textParam(search.prompt),
      version: textParam(search.version),
      model: textParam(search.model),
      dataset: textParam(search.dataset),
    }),
  component: lazyRouteComponent(() => import("../routes/new-run-route"), "NewRunRoute"),
});

const runRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/runs/$runId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      status: choiceParam(search.status, ROW_STATUSES),
      metric: choiceParam(search.metric, METRICS),
      output: textParam(search.output),
      tab: choiceParam(search.tab, RUN_TABS),
      against: textParam(search.against),
      variant: positionParam(search.variant),
      rescore: flagParam(search.rescore),
    }),
  component: lazyRouteComponent(() => import("../routes/run-route"), "RunRoute"),
});

export const runRoutes = [runsRoute, newRunRoute, runRoute] as const;
