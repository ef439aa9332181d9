import { anEstimate, anExperiment } from "@/testing/experiment-builders";
import { describePage } from "@/testing/pages";

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
  around: { "POST experiments/e1/estimate": anEstimate() },
});
