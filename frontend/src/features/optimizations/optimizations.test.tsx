import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Optimization } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aScorerKind } from "@/testing/library-builders";
import {
  aCandidateDetail,
  anOptimization,
  anOptimizationDraft,
  anOptimizationEstimate,
} from "@/testing/optimization-builders";
import { listOf } from "@/testing/pages";
import { axeViolations, renderPage, withText } from "@/testing/render";
import { rowsOf } from "./compare/rows-of";
import { NewOptimizationPage } from "./form/new-optimization-page";
import { OptimizationPage } from "./optimization-page";
import { situationOf, spentOf } from "./situation";

const project = aProject();
const PATH = `projects/${project.slug}`;
const ONE = `${PATH}/optimizations/o1`;
const EVOLVE = {
  kind: "evolve",
  title: "Evolve",
  description: "Generations.",
  uses_refiner: true,
  options_schema: {},
  search_schema: {
    properties: { candidates: { type: "integer", title: "Candidates", default: 6 } },
  },
};

function open(optimization: Optimization, candidate?: number) {
  answer("get", ONE, optimization);
  for (const list of ["models", "scorers", "optimizations/o1/activity"]) {
    answer("get", `${PATH}/${list}`, listOf());
  }
  answer("get", `${PATH}/scorers/kinds`, [aScorerKind()]);
  answer("get", `${PATH}/optimizations/kinds`, [EVOLVE]);
  const events = {
    onOpened: vi.fn(),
    onEdited: vi.fn(),
    onRepeated: vi.fn(),
    onCompared: vi.fn(),
    onLeft: vi.fn(),
  };
  return renderPage(
    <OptimizationPage
      project={project}
      optimizationId="o1"
      candidate={candidate}
      onCandidateChanged={vi.fn()}
      {...events}
    />,
  );
}

describe("the page of an optimization", () => {
  it("states the verdict with its numbers, who was dropped and why", async () => {
    await open(anOptimization());
    expect(
      await screen.findByText(
        withText(
          "Candidate 2 looked better by 2.1 on training cases; held out +1.8 (+0.5 … +3.1) on 10 cases: promoted.",
        ),
      ),
    ).toBeVisible();
    expect(screen.getByText("Candidate 2 was better by 1.2 on 6 shared cases.")).toBeVisible();
    const link = screen.getByRole("link", { name: /Open the review/ });
    expect(link).toHaveAttribute("href", `/p/${project.slug}/reviews/s1`);
  });

  it("says that the base has changed", async () => {
    await open(anOptimization({ is_base_latest: false }));
    expect(await screen.findByText("The prompt has changed meanwhile")).toBeVisible();
  });

  it("pauses what is running, and shows the progress of its round", async () => {
    const [round] = anOptimization().rounds;
    const rounds = round === undefined ? [] : [{ ...round, ended_at: null, done_count: 2 }];
    const paused = answer("post", `${ONE}/pause`, anOptimization({ state: "paused" }));
    const { user } = await open(
      anOptimization({ state: "running", outcome: null, stop_reason: null, gate: null, rounds }),
    );
    expect(await screen.findByText("Measuring the base on the training cases.")).toBeVisible();
    expect(screen.getByText("2 of 8 answers")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Pause" }));
    await vi.waitFor(() => expect(paused).toHaveLength(1));
  });

  it("opens a candidate with its scores by case", async () => {
    answer("get", `${ONE}/candidates/2`, aCandidateDetail());
    await open(anOptimization(), 2);
    const drawer = await screen.findByRole("dialog", { name: "Candidate 2" });
    const table = await within(drawer).findByRole("table", { name: "Scores by training case" });
    expect(within(table).getByText("Where is it?")).toBeVisible();
    expect(within(table).getByText("−2.0")).toBeVisible();
    expect(within(table).getByText("The case was changed or deleted.")).toBeVisible();
    expect(await axeViolations(drawer)).toEqual([]);
  });

  it("compares a candidate with the one it came from", async () => {
    const changed = { number: 3, parents: [2], text: "Greet. Answer {{question}} well.\n" };
    answer("get", `${ONE}/candidates/3`, aCandidateDetail(changed));
    answer("get", `${ONE}/candidates/2`, aCandidateDetail());
    const { user } = await open(anOptimization(), 3);
    const drawer = await screen.findByRole("dialog", { name: "Candidate 3" });
    await user.click(await within(drawer).findByRole("radio", { name: "Candidate 2" }));
    await vi.waitFor(() => expect(drawer).toHaveTextContent("Greet. Answer {{question}} well."));
    expect(drawer).toHaveTextContent("Greet. Answer {{question}}.");
  });
});

describe("the form of an optimization", () => {
  const openForm = (onSaved = vi.fn()) => {
    answer("get", `${PATH}/optimizations/draft`, anOptimizationDraft());
    answer("get", `${PATH}/scorers/kinds`, [aScorerKind()]);
    answer("get", `${PATH}/optimizations/kinds`, [EVOLVE]);
    answer("get", `${PATH}/datasets/d1/facets`, {
      splits: [{ value: "train", cases: 8 }],
      tags: [],
      origins: [],
      difficulties: [],
      total: 8,
      with_expected: 0,
    });
    for (const list of ["prompts", "models", "datasets", "scorers", "prompts/p1/versions"]) {
      answer("get", `${PATH}/${list}`, listOf());
    }
    return renderPage(
      <NewOptimizationPage project={project} source={{ prompt: "p1" }} onSaved={onSaved} />,
    );
  };

  it("says what the budget pays for, and creates what is entered", async () => {
    const saved = vi.fn();
    answer("post", `${PATH}/optimizations/estimate`, anOptimizationEstimate());
    const created = answer("post", `${PATH}/optimizations`, anOptimization({ state: "draft" }));
    const { user } = await openForm(saved);
    expect(await screen.findByText("About 3 generations of 6 candidates.")).toBeVisible();
    expect(await screen.findByText("No held-out cases")).toBeVisible();
    await user.type(screen.getByRole("textbox", { name: /^Target score/ }), "9");
    await user.click(screen.getByRole("button", { name: "Create optimization" }));
    await vi.waitFor(() => expect(saved).toHaveBeenCalledWith("o1"));
    expect(created[0]?.body).toMatchObject({
      name: "Better Reply",
      version_id: null,
      target_score: 0.9,
      strategy: { kind: "evolve", options: { model_id: "m1" } },
    });
  });

  it("shows the server's problems at their fields", async () => {
    answer(
      "post",
      `${PATH}/optimizations/estimate`,
      anOptimizationEstimate({ affordable_generations: 0, fits_budget: false }),
    );
    refuse("post", `${PATH}/optimizations`, 400, {
      code: "INVALID",
      message: "Wrong.",
      details: [{ field: "dataset_id", message: "It has no held-out cases.", code: "no_holdout" }],
    });
    const { user } = await openForm();
    expect(await screen.findByText("The budget pays for no generation.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Create optimization" }));
    expect(await screen.findByText("It has no held-out cases.")).toBeVisible();
  });
});

describe("figures of an optimization", () => {
  const [round] = anOptimization().rounds;
  const ended = round === undefined ? [] : [round];

  it("knows what happens now and next", () => {
    const running = { state: "running", stop_reason: null } as const;
    expect(situationOf({ ...running, rounds: [] })).toEqual({ now: "baseline", next: "propose" });
    expect(situationOf({ ...running, rounds: ended })).toEqual({ now: "propose", next: "measure" });
    expect(situationOf({ ...running, stop_reason: "patience", rounds: ended }).now).toBe(
      "finalist",
    );
    expect(situationOf({ state: "cancelled", stop_reason: null, rounds: ended }).now).toBe("over");
  });

  it("adds up the costs of its parts", () => {
    expect(spentOf(ended)).toEqual([
      { key: "baseline", usd: 0.12 },
      { key: "generations", usd: 0 },
      { key: "test", usd: 0 },
    ]);
  });

  it("marks what differs between two", () => {
    const row = (value: string) => ({ key: "seed", label: "Seed", values: [value] });
    expect(rowsOf([row("7")], [row("8")])).toEqual([
      { key: "seed", label: "Seed", left: ["7"], right: ["8"], differs: true },
    ]);
    expect(rowsOf([row("7")], [row("7")])[0]?.differs).toBe(false);
  });
});
