import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { changeOutOfTen, formatScore, outOfTen } from "@/components/score-scale";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage, withText } from "@/testing/render";
import { aComparison, aMean, aVariantResult, someResults } from "@/testing/results-builders";
import { agreementLevel, findComparison } from "@/components/results/figures";
import { ResultsTab } from "./results-tab";

const RUNS = "projects/team/runs";
const NO_RUNS = { items: [], next: null, total: 0 };

async function openResults(against?: string, variant?: number) {
  const onOutputOpened = vi.fn();
  const page = await renderPage(
    <ResultsTab
      part={against === undefined ? "results" : "compare"}
      slug="team"
      runId="r2"
      against={against}
      onAgainstChanged={vi.fn()}
      variant={variant}
      onVariantChanged={vi.fn()}
      onOutputOpened={onOutputOpened}
    />,
  );
  return { ...page, onOutputOpened };
}

describe("figures", () => {
  it("shows scores out of ten and differences with their sign", () => {
    expect(outOfTen(0.825)).toBe("8.3");
    expect(formatScore(1)).toBe("10.0/10");
    expect([0.04, -0.31, 0.001].map(changeOutOfTen)).toEqual(["+0.4", "−3.1", "±0.0"]);
    expect([0.9, 0.7, 0.2, null].map(agreementLevel)).toEqual(["high", "fair", "low", "none"]);
  });

  it("turns a comparison round when the other variant is chosen as the baseline", () => {
    const turned = findComparison([aComparison()], 1, 0);
    expect(turned).toMatchObject({ baseline: 1, other: 0, verdict: "worse" });
    expect(turned?.difference).toEqual({
      value: -0.19,
      interval: { low: -0.3, high: -0.1 },
      cases: 8,
    });
    expect([turned?.improved, turned?.regressed]).toEqual([1, 7]);
    expect(findComparison([aComparison()], 0, 0)).toBeUndefined();
  });
});

describe("results of a run", () => {
  it("says who is best, how sure that is, and against whom", async () => {
    answer("get", `${RUNS}/r2/summary`, someResults());
    answer("get", RUNS, NO_RUNS);
    const { container, user } = await openResults();
    const table = await screen.findByRole("table", { name: "Variants" });
    const second = within(table).getByText("Reply v2 · small").closest("tr");
    expect(second).toHaveTextContent("8.1");
    expect(second).toHaveTextContent("+1.9");
    expect(second).toHaveTextContent("Better");
    expect(second).toHaveTextContent("p = 0.008");
    expect(screen.getByText("+1.9 vs Reply v1 · small")).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);

    await user.click(screen.getByRole("combobox", { name: "Compare with" }));
    await user.click(screen.getByRole("option", { name: "Reply v2 · small" }));
    const first = within(table).getByText("Reply v1 · small").closest("tr");
    expect(first).toHaveTextContent("−1.9");
    expect(first).toHaveTextContent("Worse");
  });

  it("says what it would take where the evidence is not enough", async () => {
    const unclear = aComparison({
      verdict: "no_evidence",
      adjusted_p_value: 0.4,
      cases_needed: 84,
      difference: aMean(0.03),
    });
    const progress = { ...someResults().progress, cells_done: 9, scores_done: 8 };
    answer(
      "get",
      `${RUNS}/r2/summary`,
      someResults({ comparisons: [unclear], is_final: false, is_complete: false, progress }),
    );
    answer("get", RUNS, NO_RUNS);
    await openResults();
    expect(
      await screen.findByText(withText("84 cases needed to show this difference")),
    ).toBeVisible();
    expect(screen.getByText(/9 of 16 answers and 8 of 16 scores/)).toBeVisible();
  });

  it("says why there is nothing, and when it could not be had", async () => {
    const failed = aVariantResult({ failed: 16, composite: aMean(null, 0) });
    answer(
      "get",
      `${RUNS}/r2/summary`,
      someResults({ composite: aMean(null, 0), variants: [failed], comparisons: [] }),
    );
    const { unmount } = await openResults();
    expect(await screen.findByText(/Every answer failed/)).toBeVisible();
    unmount();
    refuse("get", `${RUNS}/r2/summary`, 404, { code: "NOT_FOUND" });
    await openResults();
    expect(await screen.findByRole("alert")).toBeVisible();
  });

  it("lists what lost most against another run, and opens its answers", async () => {
    answer("get", RUNS, { items: [], next: null, total: 0 });
    answer("get", `${RUNS}/r1/compare/r2`, {
      baseline: { id: "r1", name: "Monday", variants: ["Reply v1 · small"] },
      other: { id: "r2", name: "Tuesday", variants: ["Reply v1 · small", "Reply v1 · large"] },
      shared_cases: 8,
      only_in_baseline: 0,
      only_in_other: 2,
      comparisons: [
        aComparison({ other: 0 }),
        aComparison({ other: 1, verdict: "worse", difference: aMean(-0.2) }),
      ],
    });
    answer("get", `${RUNS}/r1/compare/r2/cases`, {
      items: [
        {
          position: 3,
          baseline_position: 3,
          inputs_preview: "Where is my parcel?",
          baseline_score: 0.9,
          score: 0.2,
          difference: -0.7,
          baseline_output_id: null,
          output_id: "o4",
        },
      ],
      next: null,
      total: 1,
    });
    const { user, onOutputOpened } = await openResults("r1", 1);
    expect(await screen.findByText("This run is worse than Monday by −2.0.")).toBeVisible();
    expect(screen.getByText("2 cases only in this run, 0 cases only in the other")).toBeVisible();
    await user.click(await screen.findByRole("button", { name: "4 · Where is my parcel?" }));
    expect(onOutputOpened).toHaveBeenCalledWith("o4");
  });
});
