import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { CheaperModels } from "@/api/types";
import { aCandidate, anOptimization } from "@/testing/optimization-builders";
import { axeViolations, renderPage, withText } from "@/testing/render";
import { frontOf, pointsOf, scaleOf } from "./cost-points";
import { CostScatter } from "./cost-scatter";
import { LineageCard } from "./lineage-card";
import { placeCandidates } from "./lineage-places";
import { ModelChoiceCard } from "./model-choice-card";
import { MoneyCard } from "./money-card";

describe("the lineage of candidates", () => {
  it("gives each generation a column, with the stated rubric under the base", () => {
    const places = placeCandidates([
      aCandidate({ number: 0, generation: 0, origin: "base" }),
      aCandidate({ number: 1, generation: 0, origin: "rubric" }),
      aCandidate({ number: 2, generation: 1 }),
      aCandidate({ number: 3, generation: 1 }),
      aCandidate({ number: 4, generation: 2, parents: [2, 3] }),
    ]);
    expect([...places]).toEqual([
      [0, { column: 0, row: 0 }],
      [1, { column: 0, row: 1 }],
      [2, { column: 1, row: 0 }],
      [3, { column: 1, row: 1 }],
      [4, { column: 2, row: 0 }],
    ]);
  });

  it("draws a line from each parent, and opens a candidate", async () => {
    const opened = vi.fn();
    const [base] = anOptimization().candidate_list;
    const { user, container } = await renderPage(
      <LineageCard
        optimization={anOptimization({
          candidate_list: [
            ...(base === undefined ? [] : [base]),
            aCandidate({ number: 1, state: "dropped" }),
            aCandidate({ number: 2, generation: 2, parents: [0, 1] }),
          ],
        })}
        onOpened={opened}
      />,
    );
    expect(container.querySelectorAll("path")).toHaveLength(3);
    await user.click(screen.getByRole("button", { name: /Candidate 2/ }));
    expect(opened).toHaveBeenCalledExactlyOnceWith(2);
    expect(await axeViolations(container)).toEqual([]);
  });
});

describe("scores and costs of candidates", () => {
  const point = (number: number, cost: number, score: number) => ({ number, cost, score });

  it("leaves out candidates whose cost is unknown, and counts 1,000 answers", () => {
    expect(pointsOf(anOptimization())).toEqual([point(0, 1, 0.4), point(2, 2, 0.61)]);
  });

  it("keeps on the front only what no other beats on both", () => {
    const points = [point(0, 2, 0.5), point(1, 1, 0.4), point(2, 3, 0.5), point(3, 1, 0.3)];
    expect(frontOf(points).map(({ number }) => number)).toEqual([1, 0]);
  });

  it("puts a single value in the middle", () => {
    expect(scaleOf([3]).share(3)).toBe(0.5);
    expect(scaleOf([2, 4]).share(3.5)).toBe(0.75);
  });

  it("says the leader's figures, and shows all as a table", async () => {
    const { user } = await renderPage(<CostScatter optimization={anOptimization()} />);
    const summary = "Candidate 2 scores 6.1 at $2.00 per 1,000 answers.";
    expect(screen.getByRole("img", { name: summary })).toBeVisible();
    await user.click(screen.getByRole("button", { name: /table/i }));
    const rows = within(screen.getByRole("table")).getAllByRole("row");
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "CandidateTraining scoreCost of 1,000 answers",
      "Base4.0$1.00",
      "Candidate 26.1$2.00",
    ]);
  });
});

describe("cheaper models", () => {
  const choice: CheaperModels = {
    incumbent: "Large",
    cost_usd: "0.01",
    candidate: 2,
    margin: 0.05,
    trials: [
      {
        model_id: "m2",
        name: "Medium",
        cost_usd: "0.004",
        difference: 0.01,
        low: -0.02,
        high: 0.04,
        is_as_good: true,
        reason: "Lower by less than 0.5 points.",
      },
      {
        model_id: "m3",
        name: "Small",
        cost_usd: "0.001",
        difference: -0.2,
        low: null,
        high: null,
        is_as_good: false,
        reason: "It may be lower by 0.5 points or more.",
      },
    ],
    chosen: "m2",
    saving: 0.6,
  };

  it("recommends one in a sentence, with the figures of all", async () => {
    const { container } = await renderPage(<ModelChoiceCard choice={choice} />);
    expect(
      screen.getByText(
        withText(
          "Medium with Candidate 2 is as good as Large with the base, within a margin of 0.5 points, and costs 60% less.",
        ),
      ),
    ).toBeVisible();
    const table = screen.getByRole("table", { name: "Cheaper models" });
    expect(within(table).getByText("+0.1 (−0.2 … +0.4)")).toBeVisible();
    expect(within(table).getByText("−2.0")).toBeVisible();
    expect(within(table).getByText("$4.00")).toBeVisible();
    expect(within(table).getByText("Recommended")).toBeVisible();
    expect(within(table).getByText("Not shown")).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it("says that none is shown to be as good", async () => {
    await renderPage(<ModelChoiceCard choice={{ ...choice, chosen: null, saving: null }} />);
    expect(
      screen.getByText(withText(/^No cheaper model is shown to be as good as Large/)),
    ).toBeVisible();
  });
});

describe("the money of an optimization", () => {
  it("shows what is set aside for the test until that begins", async () => {
    const { rerender } = await renderPage(
      <MoneyCard optimization={anOptimization({ state: "running", held_usd: "1.20" })} />,
    );
    expect(screen.getByText("Set aside for the test")).toBeVisible();
    expect(screen.getByText("up to $1.20")).toBeVisible();
    rerender(<MoneyCard optimization={anOptimization()} />);
    expect(screen.queryByText("Set aside for the test")).toBeNull();
  });
});
