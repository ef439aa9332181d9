import { aRubric, aScorer, aScorerKind } from "@/testing/library-builders";
import { describePage, listOf } from "@/testing/pages";

const responses = { "scorers/kinds": [aScorerKind()] };

describePage("/p/$slug/scorers", {
  reads: "scorers",
  filled: listOf(aScorer()),
  shows: ["link", "Names the parcel"],
  command: "lists.duplicate",
  empty: { text: "scorers.empty.title", next: ["link", "scorers.new.action"] },
  responses,
});

describePage("/p/$slug/scorers/$scorerId", {
  params: { scorerId: "s1" },
  reads: "scorers/s1",
  filled: aScorer(),
  shows: ["heading", "Names the parcel"],
  responses,
});

describePage("/p/$slug/scorers/new", {
  reads: "scorers/kinds",
  filled: [aScorerKind()],
  shows: ["button", /Contains/],
  empty: null,
});

describePage("/p/$slug/scorers/rubrics", {
  reads: "rubrics",
  filled: listOf(aRubric()),
  shows: ["link", "Kind replies"],
  command: "lists.duplicate",
  empty: { text: "scorers.rubrics.empty", next: ["link", "scorers.rubrics.new"] },
  responses,
});

describePage("/p/$slug/scorers/rubrics/$rubricId", {
  params: { rubricId: "r1" },
  reads: "rubrics/r1",
  filled: aRubric(),
  shows: ["heading", "Kind replies"],
  responses: { "POST rubrics/preview": { system: "You judge.", question: "Judge this." } },
});
