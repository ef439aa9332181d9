import { anExperiment } from "@/testing/experiment-builders";
import { describePage, listOf } from "@/testing/pages";
import { aSuggestion, aSuggestionSummary } from "@/testing/review-builders";

describePage("/p/$slug/reviews", {
  reads: "suggestions",
  filled: listOf(aSuggestionSummary()),
  shows: ["link", /Better replies/],
  empty: { text: "reviews.empty.title", next: ["link", "reviews.empty.action"] },
});

describePage("/p/$slug/reviews/$suggestionId", {
  params: { suggestionId: "s1" },
  reads: "suggestions/s1",
  filled: aSuggestion(),
  shows: ["heading", "Better replies"],
  responses: { "experiments/e1/iterations/i1": { metrics: null, suggestions: [] } },
});

describePage("/p/$slug/reviews/new", {
  search: "?experiment=e1",
  reads: "experiments/e1",
  filled: anExperiment({ name: "Parcels" }),
  shows: ["heading", "reviews.own.title"],
});
