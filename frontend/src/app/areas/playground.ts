import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { SquarePen } from "lucide-react";
import { CELL_STATUSES, METRICS, MODES } from "@/features/playground/session";
import { choiceParam, definedOnly, shareParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const playgroundRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/playground",
  staticData: {
    fillsWindow: true,
    page: {
      key: "playground",
      guide: "playground",
      group: "build",
      icon: SquarePen,
      shortcut: "g l",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      run: textParam(search.run),
      prompt: textParam(search.prompt),
      metric: choiceParam(search.metric, METRICS),
      mode: choiceParam(search.mode, MODES),
      status: choiceParam(search.status, CELL_STATUSES),
      q: textParam(search.q),
      min: shareParam(search.min),
      max: shareParam(search.max),
      output: textParam(search.output),
      sort: textParam(search.sort),
    }),
  component: lazyRouteComponent(() => import("../routes/playground-route"), "PlaygroundRoute"),
});

export const playgroundRoutes = [playgroundRoute] as const;
