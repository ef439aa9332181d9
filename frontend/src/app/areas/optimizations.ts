import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { LIST_STATUSES, OPTIMIZATION_STATES } from "@/features/optimizations/optimization-view";
import { choiceParam, definedOnly, positionParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const optimizationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/optimizations",
  staticData: {
    page: {
      key: "optimizations",
      guide: "optimizers",
      group: "improve",
      icon: Sparkles,
      shortcut: "g z",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, OPTIMIZATION_STATES),
      status: choiceParam(search.status, LIST_STATUSES),
    }),
  component: lazyRouteComponent(
    () => import("../routes/optimizations-route"),
    "OptimizationsRoute",
  ),
});

const newOptimizationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/optimizations/new",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      prompt: textParam(search.prompt),
      run: textParam(search.run),
      experiment: textParam(search.experiment),
      from: textParam(search.from),
    }),
  component: lazyRouteComponent(
    () => import("../routes/optimizations-route"),
    "NewOptimizationRoute",
  ),
});

const optimizationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/optimizations/$optimizationId",
  validateSearch: (search: RawSearch) =>
    definedOnly({ candidate: positionParam(search.candidate) }),
  component: lazyRouteComponent(() => import("../routes/optimization-route"), "OptimizationRoute"),
});

const editOptimizationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/optimizations/$optimizationId/edit",
  component: lazyRouteComponent(
    () => import("../routes/optimizations-route"),
    "EditOptimizationRoute",
  ),
});

const optimizationCompareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/optimizations/$optimizationId/compare/$otherId",
  component: lazyRouteComponent(
    () => import("../routes/optimization-route"),
    "OptimizationCompareRoute",
  ),
});

export const optimizationRoutes = [
  optimizationsRoute,
  newOptimizationRoute,
  optimizationRoute,
  editOptimizationRoute,
  optimizationCompareRoute,
] as const;
