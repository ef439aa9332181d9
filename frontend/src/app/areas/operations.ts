import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "./frame";

const operationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/operations",
  component: lazyRouteComponent(() => import("../routes/operations-route"), "OperationsRoute"),
});

export const operationsRoutes = [operationsRoute] as const;
