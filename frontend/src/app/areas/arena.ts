import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Swords } from "lucide-react";
import { BOARD_SORTS, dayParam, DIFFICULTIES } from "@/features/arena/board-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const arenaRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/arena",
  staticData: {
    page: { key: "arena", guide: "arena", group: "evaluate", icon: Swords, shortcut: "g t" },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      sets: textParam(search.sets),
      scorers: textParam(search.scorers),
      tag: textParam(search.tag),
      difficulty: choiceParam(textParam(search.difficulty), DIFFICULTIES),
      since: dayParam(search.since),
      until: dayParam(search.until),
      sort: choiceParam(search.sort, BOARD_SORTS),
    }),
  component: lazyRouteComponent(() => import("../routes/arena-route"), "ArenaRoute"),
});

const votingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/arena/voting",
  validateSearch: (search: RawSearch) =>
    definedOnly({ q: textParam(search.q), run: textParam(search.run) }),
  component: lazyRouteComponent(() => import("../routes/voting-route"), "VotingRoute"),
});

const roundRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/arena/voting/$roundId",
  component: lazyRouteComponent(() => import("../routes/voting-route"), "RoundRoute"),
});

const questionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/arena/questions",
  validateSearch: (search: RawSearch) =>
    definedOnly({ q: textParam(search.q), dataset: textParam(search.dataset) }),
  component: lazyRouteComponent(() => import("../routes/questions-route"), "QuestionsRoute"),
});

const judgedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/arena/questions/$runId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      order: choiceParam(search.order, ["weakest", "disagreement", "position"] as const),
      weak: choiceParam(search.weak, ["yes"] as const),
      generator: textParam(search.generator),
    }),
  component: lazyRouteComponent(() => import("../routes/questions-route"), "JudgedRoute"),
});

export const arenaRoutes = [
  arenaRoute,
  votingRoute,
  roundRoute,
  questionsRoute,
  judgedRoute,
] as const;
