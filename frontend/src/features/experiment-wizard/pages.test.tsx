import { describe } from "vitest";
import { aPrompt } from "@/testing/builders";
import { anEstimate, anExperiment, BLANK } from "@/testing/experiment-builders";
import { describeFailedReads, describePage } from "@/testing/pages";

const TEMPLATE = {
  key: "customer_support",
  name: "Customer support",
  description: "Replies to customers.",
  criteria: ["Tone"],
  cases: 10,
};

describePage("/p/$slug/experiments/new", {
  reads: "experiments/templates",
  filled: [TEMPLATE],
  shows: ["button", /Customer support/],
  empty: { answer: [], text: "wizard.new.blank" },
});

describePage("/p/$slug/experiments/$experimentId/setup", {
  params: { experimentId: "e1" },
  reads: "experiments/e1",
  filled: anExperiment({ name: "Parcels" }),
  shows: ["heading", "Parcels"],
  responses: { "POST experiments/e1/estimate": anEstimate() },
});

describe.each([
  ["rubric", "rubrics"],
  ["prompt", "prompts"],
  ["data", "datasets"],
  ["judges", "scorers"],
  ["limits", "models"],
])("the step %s", (step, list) => {
  const draft = {
    ...BLANK,
    prompt: { ...BLANK.prompt, prompt_id: "pr1" },
    data: { ...BLANK.data, dataset_id: "d1" },
  };
  describeFailedReads("/p/$slug/experiments/$experimentId/setup", {
    params: { experimentId: "e1" },
    search: `?step=${step}`,
    responses: {
      "experiments/e1": anExperiment({ draft }),
      "POST experiments/e1/estimate": anEstimate(),
      "prompts/pr1": aPrompt(),
      "optimizations/kinds": [],
    },
    lists: [list],
  });
});
