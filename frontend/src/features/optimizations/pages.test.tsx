import {
  anOptimization,
  anOptimizationDraft,
  anOptimizationEstimate,
} from "@/testing/optimization-builders";
import { describeFailedReads, describePage, listOf } from "@/testing/pages";

const FORM = { "scorers/kinds": [], "optimizations/kinds": [] };

describePage("/p/$slug/optimizations", {
  reads: "optimizations",
  filled: listOf(anOptimization()),
  shows: ["link", "Kinder replies"],
  command: "lists.duplicate",
  empty: { text: "optimizations.empty.title", next: ["link", "optimizations.new"] },
});

describePage("/p/$slug/optimizations/$optimizationId", {
  params: { optimizationId: "o1" },
  reads: "optimizations/o1",
  filled: anOptimization(),
  shows: ["heading", "Kinder replies"],
  responses: FORM,
});

describePage("/p/$slug/optimizations/new", {
  reads: "optimizations/draft",
  filled: anOptimizationDraft({ prompt_id: null, dataset_id: null, models: [], scorers: [] }),
  shows: ["textbox", /^Name/],
  empty: null,
  responses: FORM,
});

describePage("/p/$slug/optimizations/$optimizationId/edit", {
  params: { optimizationId: "o1" },
  reads: "optimizations/o1",
  filled: anOptimization({ state: "draft" }),
  shows: ["textbox", /^Name/],
  responses: {
    ...FORM,
    "datasets/d1/facets": { splits: [{ value: "holdout", cases: 10 }] },
    "POST optimizations/estimate": anOptimizationEstimate(),
  },
});

describePage("/p/$slug/optimizations/$optimizationId/compare/$otherId", {
  params: { optimizationId: "o1", otherId: "o2" },
  reads: "optimizations/o1",
  filled: anOptimization(),
  shows: ["link", "Kinder replies"],
  responses: { ...FORM, "optimizations/o2": anOptimization({ id: "o2", name: "Warmer" }) },
});

describeFailedReads("/p/$slug/optimizations/new", {
  responses: {
    ...FORM,
    "optimizations/draft": anOptimizationDraft({ prompt_id: null, dataset_id: null }),
  },
  lists: ["prompts", "models", "datasets", "scorers", "scorers/kinds", "optimizations/kinds"],
});
