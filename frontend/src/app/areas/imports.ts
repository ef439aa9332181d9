import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { projectRoute } from "./frame";

const importRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/import",
  staticData: {
    page: {
      key: "import",
      guide: "imports",
      group: "configure",
      icon: FileUp,
      shortcut: "g i",
      needs: "settings.edit",
    },
  },
  component: lazyRouteComponent(() => import("../routes/import-route"), "ImportRoute"),
});

export const importRoutes = [importRoute] as const;
