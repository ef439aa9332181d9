import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { anIteration, someMetrics } from "@/testing/iteration-builders";
import { renderPage } from "@/testing/render";
import { aVariantResult, someResults } from "@/testing/results-builders";
import { Figures } from "./figures-list";
import { Kpis } from "./kpis";
import { ModelTable } from "./model-table";
import { Safety } from "./safety";

const FREE = { execution_usd: "0", judging_usd: "0", refining_usd: "0", total_usd: "0" };

function unpriced() {
  const metrics = someMetrics();
  const variants = metrics.variants.map((variant) => ({
    ...variant,
    cost_usd: "0",
    cost_per_answer_usd: null,
  }));
  return { ...metrics, variants };
}

describe("figures that are unknown", () => {
  it("never show a missing price as zero", async () => {
    const metrics = unpriced();
    await renderPage(
      <>
        <Kpis iteration={anIteration({ cost: FREE })} metrics={metrics} />
        <ModelTable metrics={metrics} />
      </>,
    );
    expect(await screen.findByText("Unknown")).toBeVisible();
    expect(screen.getByText("Unknown answers · $0.00 judging · $0.00 refining")).toBeVisible();
    expect(screen.getByRole("table", { name: "Models" })).not.toHaveTextContent("$0.00");
  });

  it("show no elapsed time before the first call", async () => {
    await renderPage(<Figures iteration={anIteration({ state: "pending", progress: null })} />);
    expect((await screen.findByText("Elapsed")).parentElement).toHaveTextContent("Elapsed–");
  });

  it("do not count a check without results as passed", async () => {
    const results = someResults({
      criteria: [{ key: "s1", name: "Personal data", weight: 0, scorers: [1] }],
      raters: [{ key: "s1", label: "Personal data", kind: "scorer", scorer: 1 }],
      variants: [aVariantResult()],
    });
    await renderPage(<Safety results={results} onShown={vi.fn()} />);
    expect(await screen.findByText("Not checked")).toBeVisible();
    expect(screen.queryByText("No findings")).toBeNull();
  });
});
