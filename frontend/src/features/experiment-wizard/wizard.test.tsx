import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import type { Experiment, StepProblem } from "@/api/types";
import { aProject } from "@/testing/builders";
import { anEstimate, anExperiment, BLANK as DRAFT } from "@/testing/experiment-builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { NewExperimentPage } from "./new-page";
import { SetupPage } from "./setup-page";
import { errorsOf, mergedDraft } from "./wizard-draft";
import type { Step } from "./wizard-step";

const PATH = "projects/support-answers";
const EXPERIMENT = `${PATH}/experiments/e1`;
const EMPTY = { items: [], next: null, total: 0 };
const GOAL = "Answer customers' questions about parcels kindly.";

const TOO_SHORT: StepProblem = {
  step: "objective",
  field: "objective.goal",
  message: "The objective needs at least 20 characters; it has 0.",
  code: "too_short",
};

/** The page with its search parameters. */
function Wizard() {
  const [step, setStep] = useState<Step>();
  return (
    <SetupPage
      project={aProject({ role: "EDITOR" })}
      experimentId="e1"
      step={step}
      onStepChanged={setStep}
      onCreated={vi.fn()}
      onStarted={vi.fn()}
    />
  );
}

async function open(experiment: Experiment, ...problems: StepProblem[]) {
  for (const list of ["models", "rubrics", "prompts", "datasets", "scorers"]) {
    answer("get", `${PATH}/${list}`, EMPTY);
  }
  answer("get", EXPERIMENT, experiment);
  answer("post", `${EXPERIMENT}/estimate`, anEstimate(...problems));
  const saves = answer("put", `${EXPERIMENT}/draft`, {
    draft_version: 2,
    updated_at: "2026-03-01T12:03:00Z",
    problems,
  });
  const view = await renderPage(<Wizard />);
  const steps = within(await screen.findByRole("navigation", { name: "Steps" }));
  return { ...view, saves, steps };
}

describe("beginning an experiment", () => {
  it("offers templates and a blank one, and opens what was made", async () => {
    const template = {
      key: "customer_support",
      name: "Customer support",
      description: "Replies to customers.",
      goal: GOAL,
      criteria: ["Empathy"],
      cases: 8,
    };
    answer("get", `${PATH}/experiments/templates`, [template]);
    answer("get", `${PATH}/models`, EMPTY);
    const made = answer("post", `${PATH}/experiments`, anExperiment(), { status: 201 });
    const onCreated = vi.fn();
    const page = <NewExperimentPage project={aProject()} onExperimentCreated={onCreated} />;
    const { user } = await renderPage(page);
    const card = await screen.findByRole("button", { name: /Customer support/ });
    expect(card).toHaveTextContent("8 cases");
    expect(await axeViolations()).toEqual([]);
    await user.click(card);
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith("e1"));
    expect(made[0]?.body).toEqual({ template: "customer_support" });
    await user.click(screen.getByRole("button", { name: /Blank experiment/ }));
    await waitFor(() => expect(made[1]?.body).toEqual({}));
  });
});

describe("setting an experiment up", () => {
  it("shows problems on leaving a step, not before, and does not block navigation", async () => {
    const { user, saves, steps } = await open(anExperiment(), TOO_SHORT);
    await screen.findByRole("textbox", { name: /^Objective/ });
    expect(screen.queryByText(TOO_SHORT.message)).toBeNull();
    expect(await axeViolations()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Fix 1 problem to create the experiment")).toBeVisible();
    expect(screen.getByRole("textbox", { name: /^Objective/ })).toBeInvalid();
    await user.click(screen.getByRole("button", { name: "Continue anyway" }));
    expect(screen.getByRole("heading", { name: "How are answers judged?" })).toHaveFocus();
    expect(steps.getByRole("button", { name: /Objective 1 problem/ })).toBeVisible();
    expect(steps.getByRole("button", { name: /Rubric/ })).toHaveAttribute("aria-current", "step");
    await waitFor(() => expect(saves[0]?.body).toMatchObject({ draft_version: 1, step: "rubric" }));
  });

  it("saves on Ctrl+S, and offers a choice per step when another member saved first", async () => {
    const { user, saves } = await open(anExperiment());
    await user.type(await screen.findByRole("textbox", { name: /^Objective/ }), "Mine.");
    expect(screen.getByText("Not saved yet")).toBeVisible();
    await user.keyboard("{Control>}s{/Control}");
    expect(await screen.findByText(/^Saved /)).toBeVisible();
    expect(saves[0]?.body).toMatchObject({ draft: { objective: { goal: "Mine." } } });

    const theirs = anExperiment({
      draft_version: 7,
      draft: {
        ...DRAFT,
        objective: { goal: "Theirs." },
        limits: { ...DRAFT.limits, candidates: 5 },
      },
    });
    refuse("put", `${EXPERIMENT}/draft`, 409, { code: "STALE", details: { current: theirs } });
    await user.type(screen.getByRole("textbox", { name: /^Objective/ }), " More.");
    await user.keyboard("{Control>}s{/Control}");
    const dialog = within(await screen.findByRole("dialog"));
    const again = answer("put", `${EXPERIMENT}/draft`, {
      draft_version: 8,
      updated_at: "2026-03-01T12:04:00Z",
      problems: [],
    });
    const limits = dialog.getByRole("radiogroup", { name: "Version of Limits to keep" });
    await user.click(within(limits).getByRole("radio", { name: "Keep theirs" }));
    await user.click(dialog.getByRole("button", { name: "Save choices" }));
    await waitFor(() =>
      expect(again[0]?.body).toMatchObject({
        draft_version: 7,
        draft: { objective: { goal: "Mine. More." }, limits: { candidates: 5 } },
      }),
    );
  });

  it("applies what the assistant wrote by a click, and takes it back by another", async () => {
    const written = { ...DRAFT, objective: { goal: GOAL } };
    const { user } = await open(anExperiment({ draft: written }));
    const asked = answer("post", `${PATH}/experiments/assist/objective`, {
      model: "Simulated",
      is_simulated: true,
      texts: [{ title: "Clear", text: "A clearer objective for answers.", reason: "Clearer" }],
      criteria: [],
      models: [],
      limits: null,
      reasons: [],
    });
    await user.click(await screen.findByRole("button", { name: "Draft 3 options" }));
    await user.click(await screen.findByRole("button", { name: "Use Clear" }));
    expect(asked[0]?.body).toMatchObject({ action: "draft", hints: GOAL, experiment_id: "e1" });
    const goal = screen.getByRole("textbox", { name: /^Objective/ });
    expect(goal).toHaveValue("A clearer objective for answers.");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(goal).toHaveValue(GOAL);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    await user.click(screen.getByRole("radio", { name: "Preview" }));
    expect(screen.queryByRole("textbox", { name: /^Objective/ })).toBeNull();
  });

  it("uses the criteria of a saved rubric, and offers to edit a copy", async () => {
    const { user, saves, steps } = await open(anExperiment());
    const criterion = { name: "Empathy", description: "Kind to people.", weight: 1, scale: "0-5" };
    const rubric = {
      id: "r1",
      name: "Support",
      latest: { id: "rv1", number: 1, label: "v1" },
      criterion_names: ["Empathy"],
    };
    answer("get", `${PATH}/rubrics`, { items: [rubric], next: null, total: 1 });
    answer("get", `${PATH}/rubrics/r1`, { ...rubric, criteria: [criterion] });
    await user.click(steps.getByRole("button", { name: /Rubric/ }));
    await user.click(await screen.findByRole("combobox", { name: /Criteria from/ }));
    await user.click(await screen.findByRole("option", { name: /Support v1/ }));
    expect(await screen.findByRole("textbox", { name: /Name/ })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Edit a copy" }));
    await user.type(screen.getByRole("textbox", { name: /Name/ }), " first");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() =>
      expect(saves.at(-1)?.body).toMatchObject({
        draft: {
          rubric: { rubric_version_id: null, criteria: [{ ...criterion, name: "Empathy first" }] },
        },
      }),
    );
  });

  it("explains why nothing can be changed during an iteration", async () => {
    await open(anExperiment({ state: "running", is_editable: false }));
    expect(await screen.findByText(/An iteration is in progress/)).toBeVisible();
    expect(screen.getByRole("textbox", { name: /^Objective/ })).toHaveAttribute("readonly");
    expect(screen.queryByRole("button", { name: "Draft 3 options" })).toBeNull();
  });
});

describe("a draft", () => {
  it("has its problems by field, those of one field together", () => {
    const about = (field: string, message: string) =>
      ({ step: "rubric", field, message, code: "x" }) satisfies StepProblem;
    expect(
      errorsOf([
        about("rubric.criteria", "Too few."),
        about("rubric.criteria", "Sum is 2."),
        about("rubric", "All wrong."),
      ]),
    ).toEqual({ criteria: "Too few. Sum is 2.", "": "All wrong." });
  });

  it("is merged step by step", () => {
    const theirs = { ...DRAFT, objective: { goal: "t" }, prompt: { ...DRAFT.prompt, text: "t" } };
    const mine = { ...DRAFT, objective: { goal: "m" }, prompt: { ...DRAFT.prompt, text: "m" } };
    const merged = mergedDraft(mine, theirs, new Set<Step>(["prompt"]));
    expect([merged.objective.goal, merged.prompt.text]).toEqual(["m", "t"]);
  });
});
