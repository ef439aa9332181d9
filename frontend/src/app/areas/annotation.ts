import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ClipboardCheck } from "lucide-react";
import { TEXT_FORMS } from "@/features/annotation/text-forms";
import { QUEUE_STATES } from "@/features/annotation/queues-view";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const queuesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/annotation",
  staticData: {
    page: {
      key: "annotation",
      guide: "human-scores",
      group: "evaluate",
      icon: ClipboardCheck,
      shortcut: "g n",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, QUEUE_STATES),
      create: flagParam(search.create),
      run: textParam(search.run),
    }),
  component: lazyRouteComponent(() => import("../routes/annotation-queues-route"), "QueuesRoute"),
});

const annotateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/annotation/$queueId",
  validateSearch: (search: RawSearch) =>
    definedOnly({ form: choiceParam(search.form, TEXT_FORMS) }),
  component: lazyRouteComponent(() => import("../routes/annotate-route"), "AnnotateRoute"),
});

const resultsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/annotation/$queueId/results",
  component: lazyRouteComponent(
    () => import("../routes/annotation-results-route"),
    "AnnotationResultsRoute",
  ),
});

export const annotationRoutes = [queuesRoute, annotateRoute, resultsRoute] as const;
