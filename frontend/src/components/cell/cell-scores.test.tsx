import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ScoreDetail } from "@/api/types";
import { renderPage } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { CellScores } from "./cell-scores";

describe("an answer without a score", () => {
  it("waits for one only while the run goes on", async () => {
    await renderPage(<CellScores run={aRun({ state: "executing" })} scores={[]} />);
    expect(screen.getByText("Not scored yet")).toBeVisible();
  });

  it("has none for good when the run has ended", async () => {
    await renderPage(<CellScores run={aRun({ state: "failed" })} scores={[]} />);
    expect(screen.getByText("Not scored")).toBeVisible();
  });
});

describe("the reasons of a judge", () => {
  const reason = "It does not say when.";
  const score: ScoreDetail = {
    id: "s1",
    scorer: 0,
    value: 0.2,
    is_passed: null,
    flag: null,
    rationale: `Facts 1/5: ${reason}`,
    raw: null,
    criteria: null,
    judges: null,
    judge_text: null,
    cost_usd: null,
  };

  it("are shown once, beside the criteria", async () => {
    const criteria = { Facts: { value: 0.2, raw: 1, rationale: reason } };
    await renderPage(<CellScores run={aRun()} scores={[{ ...score, criteria }]} />);
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.queryByText(score.rationale ?? "")).not.toBeInTheDocument();
  });

  it("are the scorer's where the criteria have none", async () => {
    const criteria = { Facts: { value: 0.2, raw: 1, rationale: null } };
    await renderPage(<CellScores run={aRun()} scores={[{ ...score, criteria }]} />);
    expect(screen.getByText(score.rationale ?? "")).toBeVisible();
  });

  it("are shown with the name of each judge of a panel", async () => {
    const judge = {
      model_id: "m1",
      name: "GPT small",
      value: 0.2,
      flag: null,
      problem: null,
      raw: null,
      criteria: { Facts: { value: 0.2, raw: 1, rationale: reason } },
    };
    const judges = { m1: judge, "m1#2": { ...judge, name: "GPT small #2" } };
    await renderPage(<CellScores run={aRun()} scores={[{ ...score, judges }]} />);
    expect(screen.getByText("GPT small", { ignore: ".sr-only" })).toBeVisible();
    expect(screen.getByText("GPT small #2", { ignore: ".sr-only" })).toBeVisible();
  });
});
