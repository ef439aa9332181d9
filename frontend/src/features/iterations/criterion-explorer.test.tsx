import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer } from "@/testing/fake-server";
import { aSideCase } from "@/testing/iteration-builders";
import { renderPage } from "@/testing/render";
import { aVariantResult, someResults } from "@/testing/results-builders";
import { CriterionExplorer } from "./criterion-explorer";

describe("one criterion at a time", () => {
  it("shows for each level the answer that is on it, and whose it is", async () => {
    const asked = answer("get", "projects/team/runs/:run/cases", {
      items: [aSideCase()],
      next: null,
      total: 1,
    });
    const variants = ["v1", "v2"].map((label, position) => aVariantResult({ position, label }));
    const results = someResults({
      variants,
      criteria: [{ key: "s0.0", name: "Tone", weight: 1, scorers: [0] }],
    });
    const onShown = vi.fn();
    const { user } = await renderPage(
      <CriterionExplorer slug="team" results={results} onShown={onShown} />,
    );
    const examplesOf = async (name: string) => {
      const heading = await screen.findByRole("heading", { name: new RegExp(name) });
      return within(heading.closest("section") ?? document.body).findByRole("button");
    };
    const high = await examplesOf("7 to 10");
    expect(high).toHaveTextContent("1 · Where is my parcel?v17.0");
    expect(await examplesOf("4 to under 7")).toHaveTextContent("1 · Where is my parcel?v25.0");
    const bounds = asked.map(
      ({ url }) => `${url.searchParams.get("min_score")} to ${url.searchParams.get("max_score")}`,
    );
    expect(bounds.sort()).toEqual(["0 to 0.3999", "0.4 to 0.6999", "0.7 to 1"]);
    await user.click(high);
    expect(onShown).toHaveBeenCalledWith({ criterion: "s0.0", order: "best", case: "0" });
  });
});
