import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { RunDetail } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { renderPage } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { RunActions } from "./run-actions";

const { slug } = aProject();
const PATH = `projects/${slug}`;
const LENGTH = {
  kind: "length",
  title: "Length",
  description: "Limits the length.",
  cost_class: "free",
  needs_expected: false,
  obstacle: null,
  options_schema: { type: "object", properties: {} },
};
const ESTIMATE = {
  answer_calls: 0,
  judge_calls: 12,
  input_tokens: 100,
  output_tokens: { low: 1, high: 2 },
  cost: { low_usd: "0.10", high_usd: "0.20" },
  seconds: { low: 1, high: 2 },
  assumptions: [],
  unpriced_models: [],
};

const completed = (changes: Partial<RunDetail> = {}) =>
  aRun({ state: "completed", actions: ["again", "rescore"], ...changes });

async function openDialog(run: RunDetail) {
  answer("get", `${PATH}/scorers/kinds`, [LENGTH]);
  answer("get", `${PATH}/comparers/kinds`, []);
  for (const list of ["scorers", "models", "prompts"]) {
    answer("get", `${PATH}/${list}`, { items: [], next: null, total: 0 });
  }
  const { user } = await renderPage(
    <RunActions slug={slug} run={run} onRunOpened={vi.fn()} onDeleted={vi.fn()} />,
  );
  await user.click(await screen.findByRole("button", { name: `Actions for ${run.name}` }));
  await user.click(await screen.findByRole("menuitem", { name: "Score again" }));
  return { user, dialog: within(await screen.findByRole("dialog")) };
}

describe("scoring a run again", () => {
  it("estimates what is added, and starts it", async () => {
    const run = completed();
    const estimated = answer("post", `${PATH}/runs/${run.id}/rescore/estimate`, ESTIMATE);
    const started = answer("post", `${PATH}/runs/${run.id}/rescore`, { ...run, state: "scoring" });
    const { user, dialog } = await openDialog(run);
    expect(dialog.getByRole("button", { name: "Start scoring" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.click(await dialog.findByRole("button", { name: "Add scorer" }));
    await user.click(await screen.findByRole("menuitem", { name: /Length/ }));
    expect(await dialog.findByText("$0.10 – $0.20")).toBeVisible();
    expect(estimated).toHaveLength(1);

    await user.click(dialog.getByRole("button", { name: "Start scoring" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(started[0]?.body).toMatchObject({ scorers: [{ kind: "length" }], comparers: [] });
  });

  it("shows why it is refused", async () => {
    const run = completed();
    answer("post", `${PATH}/runs/${run.id}/rescore/estimate`, ESTIMATE);
    refuse("post", `${PATH}/runs/${run.id}/rescore`, 409, {
      code: "CONFLICT",
      message: "The run is being changed.",
    });
    const { user, dialog } = await openDialog(run);
    await user.click(await dialog.findByRole("button", { name: "Add scorer" }));
    await user.click(await screen.findByRole("menuitem", { name: /Length/ }));
    await user.click(dialog.getByRole("button", { name: "Start scoring" }));
    expect(await dialog.findByText("The run is being changed.")).toBeVisible();
  });

  it("is not offered where the server would refuse it", async () => {
    const run = completed({ actions: ["again"] });
    const { user } = await renderPage(
      <RunActions slug={slug} run={run} onRunOpened={vi.fn()} onDeleted={vi.fn()} />,
    );
    await user.click(await screen.findByRole("button", { name: `Actions for ${run.name}` }));
    expect(await screen.findByRole("menuitem", { name: "Rename" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Score again" })).not.toBeInTheDocument();
  });
});
