import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ModelInsight } from "@/api/types";
import { answer } from "@/testing/fake-server";
import { aModelChoice, anInsight, anInsightModel } from "@/testing/model-insight-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { WhichModelCard } from "./which-model-card";

const BASE = "projects/support-answers";

async function open(insight: ModelInsight) {
  answer("get", `${BASE}/models/insight`, insight);
  return renderPage(<WhichModelCard slug="support-answers" />);
}

describe("which model", () => {
  const insight = anInsight({
    runs: 3,
    cases: 24,
    models: [
      anInsightModel(),
      anInsightModel({ key: "m2", model_id: "m2", name: "Spare", answer_usd: "0.001" }),
    ],
    most_accurate: aModelChoice({
      reason: "not_separated",
      cases: 24,
      leading: "m1",
      undecided: ["m2"],
    }),
    fastest: aModelChoice({ key: "m2", reason: "separated", cases: 24, factor: 2.04 }),
    best_value: aModelChoice({ key: "m2", leading: "m1", reason: "as_good_and_cheaper" }),
  });

  it("is answered with evidence, or with why the data cannot tell", async () => {
    await open(insight);
    const card = await screen.findByRole("region", { name: "Which model?" });
    expect(within(card).getByText("Cannot tell")).toBeVisible();
    expect(within(card).getByText("The evidence does not separate it from Spare.")).toBeVisible();
    expect(within(card).getByText("2.0 times as fast as the next, on 24 cases.")).toBeVisible();
    expect(within(card).getByText("Proven as good as GPT-4o, and 90% cheaper.")).toBeVisible();
    expect(await axeViolations(card)).toEqual([]);
  });

  it("is recommended for a required score and a cost", async () => {
    const { user } = await open(insight);
    const proven = aModelChoice({ key: "m2", reason: "quality_proven", cases: 24 });
    const asked = answer("get", `${BASE}/models/recommend`, {
      ...proven,
      score: 0.9,
      low: 0.85,
      high: 0.95,
    });
    const card = await screen.findByRole("region", { name: "Which model?" });
    const cost = within(card).getByRole("textbox", { name: /^At most per answer/ });
    await user.type(cost, "0.002");
    await user.click(within(card).getByRole("button", { name: "Recommend a model" }));
    expect(
      await within(card).findByText(/Mean score 9.0\/10 \(8.5\/10 to 9.5\/10\)/),
    ).toBeVisible();
    expect(asked[0]?.url.search).toBe("?required_quality=0.8&max_cost_usd=0.002");
  });

  it("is not asked before two models have results", async () => {
    const sent = answer("get", `${BASE}/models/insight`, anInsight());
    await renderPage(<WhichModelCard slug="support-answers" />);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole("region", { name: "Which model?" })).toBeNull();
  });
});
