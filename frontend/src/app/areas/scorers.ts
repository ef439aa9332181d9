import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Scale } from "lucide-react";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const STATUSES = ["archived", "all"] as const;
const COSTS = ["free", "local_model", "llm_call"] as const;

const scorersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers",
  staticData: {
    page: { key: "scorers", guide: "scorers", group: "evaluate", icon: Scale, shortcut: "g c" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      kind: textParam(search.kind),
      cost: choiceParam(search.cost, COSTS),
      status: choiceParam(search.status, STATUSES),
    }),
  component: lazyRouteComponent(() => import("../routes/scorers-route"), "ScorersRoute"),
});

const newScorerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers/new",
  validateSearch: (search: RawSearch) =>
    definedOnly({ kind: textParam(search.kind), rubric: textParam(search.rubric) }),
  component: lazyRouteComponent(() => import("../routes/scorer-route"), "NewScorerRoute"),
});

const scorerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers/$scorerId",
  validateSearch: (search: RawSearch) => definedOnly({ history: flagParam(search.history) }),
  component: lazyRouteComponent(() => import("../routes/scorer-route"), "ScorerRoute"),
});

const rubricsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers/rubrics",
  validateSearch: (search: RawSearch) =>
    definedOnly({ q: textParam(search.q), status: choiceParam(search.status, STATUSES) }),
  component: lazyRouteComponent(() => import("../routes/scorers-route"), "RubricsRoute"),
});

const newRubricRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers/rubrics/new",
  component: lazyRouteComponent(() => import("../routes/rubric-route"), "NewRubricRoute"),
});

const rubricRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/scorers/rubrics/$rubricId",
  validateSearch: (search: RawSearch) => definedOnly({ history: flagParam(search.history) }),
  component: lazyRouteComponent(() => import("../routes/rubric-route"), "RubricRoute"),
});

export const scorerRoutes = [
  scorersRoute,
  newScorerRoute,
  scorerRoute,
  rubricsRoute,
  newRubricRoute,
  rubricRoute,
] as const;
