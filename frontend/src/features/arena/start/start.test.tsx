import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { renderRoute } from "@/testing/pages";
import { aRun } from "@/testing/run-builders";
import { questionVariable } from "../use-question-variable";
import { EMPTY_START, missingPart, startRequest } from "./start-draft";

const PATH = `projects/${aProject().slug}`;
const CHOSEN = { ...EMPTY_START, datasetId: "d1", modelIds: ["m1", "m2"] };

describe("the request of a comparison", () => {
  it("asks the question as it is, or through a prompt", () => {
    expect(startRequest(CHOSEN, "Arena", "question")?.variants).toEqual([
      { question_variable: "question", model_id: "m1" },
      { question_variable: "question", model_id: "m2" },
    ]);
    const prompted = { ...CHOSEN, asking: "prompt" as const, promptId: "p1" };
    expect(startRequest(prompted, "Arena", "")?.variants[0]).toEqual({
      prompt_id: "p1",
      model_id: "m1",
    });
  });

  it("names what is missing", () => {
    expect(missingPart(EMPTY_START, "")).toBe("dataset");
    expect(missingPart({ ...EMPTY_START, datasetId: "d1" }, "question")).toBe("models");
    expect(missingPart(CHOSEN, "")).toBe("variable");
    expect(missingPart({ ...CHOSEN, asking: "prompt" }, "question")).toBe("prompt");
    expect(startRequest(EMPTY_START, "Arena", "")).toBeNull();
  });

  it("prefers a variable that holds a question", () => {
    expect(questionVariable(["name", "message", "question"])).toBe("question");
    expect(questionVariable(["name", "city"])).toBe("name");
    expect(questionVariable([])).toBe("");
  });
});

const ESTIMATE = {
  answer_calls: 40,
  judge_calls: 0,
  input_tokens: 100,
  output_tokens: { low: 1, high: 2 },
  cost: { low_usd: "0", high_usd: "0" },
  seconds: { low: 1, high: 2 },
  assumptions: [],
  unpriced_models: [],
};

/** An empty project of an admin, ready for the sample. */
async function openSample() {
  const view = await renderRoute("/p/$slug/arena", {}, () => {
    answer("get", `${PATH}/arena/datasets`, []);
    answer("get", `${PATH}/scorers/kinds`, []);
    answer("post", `${PATH}/credentials`, { id: "c1" });
    answer("post", `${PATH}/models/import`, {
      created: [
        { id: "m1", provider_model: "sim-small" },
        { id: "m2", provider_model: "sim-large" },
      ],
      skipped: [],
    });
    answer("post", `${PATH}/datasets`, { id: "d1", name: "Sample questions" });
    answer("post", `${PATH}/datasets/d1/imports`, { id: "i1", preview: { mapping: [] } });
    answer("post", `${PATH}/datasets/d1/imports/i1/commit`, { id: "i1", result: { added: 20 } });
    answer("get", `${PATH}/datasets/d1/variables`, {
      items: [{ name: "question", cases: 20 }],
      next: null,
      total: 1,
    });
    answer("post", `${PATH}/runs/estimate`, ESTIMATE);
  });
  await view.user.click(await screen.findByRole("button", { name: "Try with simulated models" }));
  return { ...view, dialog: within(await screen.findByRole("dialog")) };
}

describe("the first board", () => {
  it("starts with two clicks, and stays on the page", async () => {
    const { user, dialog, router } = await openSample();
    const started = answer("post", `${PATH}/runs`, aRun(), { status: 201 });
    const start = dialog.getByRole("button", { name: "Start with 2 models" });
    await waitFor(() => expect(start).not.toHaveAttribute("aria-disabled", "true"));
    await user.click(start);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(started[0]?.body).toMatchObject({
      dataset_id: "d1",
      variants: [{ question_variable: "question", model_id: "m1" }, { model_id: "m2" }],
      scorers: [{ kind: "word_overlap" }],
    });
    expect(router.state.location.pathname).toMatch(/\/arena$/);
  });

  it("says why it cannot start, and removes the sample when cancelled", async () => {
    const { user, dialog } = await openSample();
    refuse("post", `${PATH}/runs`, 402, { code: "BUDGET", message: "The budget is used up." });
    const dropped = answer("delete", `${PATH}/datasets/d1`, null);
    const start = dialog.getByRole("button", { name: "Start with 2 models" });
    await waitFor(() => expect(start).not.toHaveAttribute("aria-disabled", "true"));
    await user.click(start);
    expect(await dialog.findByText("The budget is used up.")).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(dropped).toHaveLength(1));
  });
});
