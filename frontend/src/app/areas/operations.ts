import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { projectRoute } from "./frame";

const operationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/operations",
  staticData: {
    page: {
      key: "operations",
      guide: "operation",
      group: "configure",
      icon: Activity,
      shortcut: "g q",
      needs: "operations.read",
    },
  },
  component: lazyRouteComponent(() => import("../routes/operations-route"), "OperationsRoute"),
});

export const operationsRoutes = [operationsRoute] as const;
