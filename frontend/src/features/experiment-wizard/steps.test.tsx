import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { useState, type ComponentType } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aModel } from "@/testing/builders";
import { BLANK } from "@/testing/experiment-builders";
import { answer, fakeServer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { DataStep } from "./data/data-step";
import { DatasetToolsContext } from "./data/dataset-tools";
import { JudgesStep } from "./judges/judges-step";
import { LimitsStep } from "./limits/limits-step";
import { ModelsStep } from "./models/models-step";
import type { Draft, Step, StepProps } from "./wizard-step";

const P = "projects/shop";
const E = `${P}/experiments/e1`;
const PAGE = { next: null, total: 0 };

const DRAFT: Draft = {
  ...BLANK,
  objective: { goal: "Answer customers kindly and exactly." },
  prompt: { ...BLANK.prompt, text: "Reply to {{message}} by {{name}}." },
  data: { ...BLANK.data, cases: [{ inputs: { message: "Where is it?" }, tags: ["late"] }] },
};

const MODELS = [
  aModel(),
  aModel({ id: "m2", display_name: "Sonnet", provider: "anthropic", provider_title: "Anthropic" }),
];

/** Renders a step and holds its draft; `kept` is the latest state. */
async function renderStep<S extends Step>(
  step: S,
  Shown: ComponentType<StepProps<S>>,
  over: Partial<Draft> = {},
  errors: StepProps<S>["errors"] = {},
) {
  const kept: { part: Draft[S] } = { part: { ...DRAFT, ...over }[step] };
  function Frame() {
    const [draft, setDraft] = useState<Draft>({ ...DRAFT, ...over });
    return (
      <Shown
        slug="shop"
        experimentId="e1"
        part={draft[step]}
        draft={draft}
        errors={errors}
        editable
        onChanged={(change) => {
          kept.part = { ...draft[step], ...change };
          setDraft({ ...draft, [step]: kept.part });
        }}
      />
    );
  }
  return { kept, ...(await renderPage(<Frame />)) };
}

beforeEach(() => {
  answer("get", `${P}/models`, { items: MODELS, ...PAGE });
  answer("get", `${P}/model-advice`, {
    balanced_set: [],
    costly: [{ model: MODELS[0], reason: "$10" }],
  });
  answer("get", `${P}/known-models`, {}, { status: 404 });
  answer("get", `${P}/scorers`, { items: [], ...PAGE });
  answer("get", `${P}/optimizations/kinds`, []);
});

describe("the step of models", () => {
  it("counts every way of answering, and leaves costly models out when asked to", async () => {
    const asked = answer("post", `${P}/experiments/assist/models`, {
      is_simulated: false,
      models: [{ model_id: "m1", name: "GPT-4o", reason: "Costs $10 for a million tokens." }],
    });
    const { user, kept } = await renderStep("models", ModelsStep);
    await user.click(await screen.findByLabelText(/^GPT-4o/));
    await user.click(screen.getByLabelText(/^Sonnet/));
    expect(await screen.findByText("Expensive")).toBeInTheDocument();
    await user.click(screen.getByPlaceholderText("0.3, 0.7, 1"));
    await user.paste("0, 0.5, 1, 1.5, 2, 0.1");
    expect(
      screen.getByText(/2 model settings × 6 parameter combinations = 12 of max 10/),
    ).toHaveTextContent("to get to 10 variants");
    expect(kept.part.grid.temperature).toEqual([0, 0.5, 1, 1.5, 2, 0.1]);
    await user.click(screen.getByText("Remove expensive models"));
    await user.click(await screen.findByText("Remove these"));
    expect(asked[0]?.body).toMatchObject({ action: "prune", experiment_id: "e1" });
    expect(kept.part.models.map(({ model_id }) => model_id)).toEqual(["m2"]);
    expect(await axeViolations()).toEqual([]);
  });
});

describe("the step of judges", () => {
  it("seats a judge who does not answer first, and compares in pairs", async () => {
    const models = { ...DRAFT.models, models: [{ model_id: "m1", parameters: null }] };
    const { user, kept } = await renderStep("judges", JudgesStep, { models });
    await user.click(await screen.findByRole("button", { name: "Add judge" }));
    expect(screen.queryByText(/favour their own/)).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Add judge" }));
    expect(kept.part.judges).toEqual(["m2", "m1"]);
    expect(screen.getByText(/favour their own/)).toBeInTheDocument();
    await user.click(screen.getByRole("switch", { name: "Compare answers in pairs" }));
    expect(kept.part.pairwise_judge).toBe("m2");
    expect(screen.getByText(/needs two variants/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Test judges" })).toHaveAttribute(
      "title",
      "Write the rubric first.",
    );
    expect(await axeViolations()).toEqual([]);
  });
});

describe("the step of limits", () => {
  it("keeps numbers only, says ranges at once, and shows what a suggestion changes", async () => {
    answer("post", `${P}/experiments/assist/limits`, {
      is_simulated: false,
      reasons: ["An iteration costs about $2."],
      limits: {
        max_iterations: 8,
        min_improvement: 0.02,
        convergence_window: 3,
        budget_usd: "20.00",
        alert_threshold: 0.8,
        is_adaptive: false,
      },
    });
    const { user, kept } = await renderStep("limits", LimitsStep);
    const iterations = await screen.findByLabelText(/^Max iterations/);
    await user.clear(iterations);
    expect(screen.getByText("Enter a number from 1 to 100.")).toBeInTheDocument();
    expect(kept.part.max_iterations).toBe(10);
    await user.paste("101");
    expect(screen.getByText("Enter a number from 1 to 100.")).toBeInTheDocument();
    const improvement = screen.getByLabelText(/^Minimum improvement/);
    await user.clear(improvement);
    await user.paste("7");
    expect(kept.part).toMatchObject({ max_iterations: 101, min_improvement: 0.07 });
    await user.click(screen.getByRole("button", { name: "Suggest limits" }));
    await user.click(await screen.findByRole("button", { name: "Use these limits" }));
    expect(kept.part).toMatchObject({
      max_iterations: 8,
      min_improvement: 0.02,
      budget_usd: "20.00",
    });
    expect(iterations).toHaveValue("8");
    expect(await axeViolations()).toEqual([]);
  });
});

describe("the step of data", () => {
  it("says what cases lack, and adopts a new dataset once something is in it", async () => {
    answer("get", E, { name: "Replies" });
    answer("get", `${P}/datasets`, { items: [], ...PAGE });
    const made = answer("post", `${P}/datasets`, {
      id: "d1",
      name: "Replies cases",
      case_count: 0,
    });
    answer("get", `${P}/datasets/d1`, { id: "d1", case_count: 12 });
    const moved = answer("post", `${P}/datasets/d1/imports/i1/commit`, {
      id: "i1",
      state: "committed",
    });
    fakeServer.use(
      http.post(`*/api/v1/${P}/datasets/d1/imports`, () =>
        HttpResponse.json({ id: "i1", preview: { mapping: [] } }),
      ),
    );
    answer("get", `${P}/datasets/d1/variables`, { items: [], ...PAGE });
    answer("get", `${P}/datasets/d1/facets`, { tags: [] });
    const Tool = ({ onClosed }: { onClosed: () => void }) => (
      <button onClick={onClosed}>close tool</button>
    );
    const { user, kept } = await renderStep("data", (props) => (
      <DatasetToolsContext value={{ Import: Tool, Generate: Tool }}>
        <DataStep {...props} />
      </DatasetToolsContext>
    ));
    expect(await screen.findByText(/1 case has no value/)).toHaveTextContent("name");
    await user.click(screen.getByLabelText("name of case 1"));
    await user.paste("Ann");
    expect(screen.queryByText(/has no value/)).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Generate cases" }));
    await user.click(await screen.findByRole("button", { name: "close tool" }));
    await vi.waitFor(() => expect(kept.part).toMatchObject({ dataset_id: "d1", cases: [] }));
    expect(made[0]?.body).toMatchObject({ name: "Replies cases" });
    expect(moved[0]?.body).toMatchObject({ skip_copies: true });
    expect(await axeViolations()).toEqual([]);
  });

  it("leaves no empty dataset behind when it is left with a tool open", async () => {
    answer("get", E, { name: "Replies" });
    answer("get", `${P}/datasets`, { items: [], ...PAGE });
    answer("post", `${P}/datasets`, { id: "d1", name: "Replies cases", case_count: 0 });
    answer("get", `${P}/datasets/d1`, { id: "d1", case_count: 0 });
    answer("get", `${P}/datasets/d1/generations`, { items: [], ...PAGE });
    const dropped = answer("delete", `${P}/datasets/d1`, null, { status: 204 });
    const Tool = () => <p>the tool is open</p>;
    const { user, unmount } = await renderStep("data", (props) => (
      <DatasetToolsContext value={{ Import: Tool, Generate: Tool }}>
        <DataStep {...props} />
      </DatasetToolsContext>
    ));
    await user.click(await screen.findByRole("button", { name: "Generate cases" }));
    await screen.findByText("the tool is open");
    const left = sessionStorage.getItem("edison-made-dataset") ?? "";
    unmount();
    await vi.waitFor(() => expect(dropped).toHaveLength(1));
    // A page that is loaded again cleans up when the step is next shown.
    sessionStorage.setItem("edison-made-dataset", left);
    await renderStep("data", (props) => <DataStep {...props} />);
    await vi.waitFor(() => expect(dropped).toHaveLength(2));
    expect(sessionStorage).toHaveLength(0);
  });
});
