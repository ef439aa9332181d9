import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/models",
  staticData: {
    page: { key: "models", guide: "models", group: "configure", icon: Boxes, shortcut: "g o" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      provider: textParam(search.provider),
      sort: choiceParam(search.sort, ["cheapest", "dearest", "context", "newest"] as const),
      model: textParam(search.model),
      try: textParam(search.try),
      import: textParam(search.import),
      next: textParam(search.next),
      advice: choiceParam(search.advice, ["balanced", "costly"] as const),
    }),
  component: lazyRouteComponent(() => import("../routes/models-route"), "ModelsRoute"),
});

export const modelRoutes = [modelsRoute] as const;
