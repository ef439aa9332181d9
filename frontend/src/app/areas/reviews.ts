import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { GitPullRequestArrow } from "lucide-react";
import { QUEUE_STATES } from "@/features/reviews/queue-view";
import { choiceParam, definedOnly, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const reviewsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/reviews",
  staticData: {
    page: {
      key: "reviews",
      guide: "experiments",
      group: "improve",
      icon: GitPullRequestArrow,
      shortcut: "g v",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      state: choiceParam(search.state, QUEUE_STATES),
      experiment: textParam(search.experiment),
    }),
  component: lazyRouteComponent(() => import("../routes/reviews-route"), "ReviewsRoute"),
});

const ownSuggestionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/reviews/new",
  validateSearch: (search: RawSearch) => definedOnly({ experiment: textParam(search.experiment) }),
  component: lazyRouteComponent(
    () => import("../routes/own-suggestion-route"),
    "OwnSuggestionRoute",
  ),
});

const reviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/reviews/$suggestionId",
  component: lazyRouteComponent(() => import("../routes/review-route"), "ReviewRoute"),
});

export const reviewRoutes = [reviewsRoute, ownSuggestionRoute, reviewRoute] as const;
