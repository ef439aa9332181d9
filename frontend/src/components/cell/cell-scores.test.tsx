import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { CellScores } from "./cell-scores";

describe("an answer without a score", () => {
  it("waits for one only while the run goes on", async () => {
    await renderPage(<CellScores run={aRun({ state: "running" })} scores={[]} />);
    expect(screen.getByText("Not scored yet")).toBeVisible();
  });

  it("has none for good when the run has ended", async () => {
    await renderPage(<CellScores run={aRun({ state: "failed" })} scores={[]} />);
    expect(screen.getByText("Not scored")).toBeVisible();
  });
});
