import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { IterationSummary } from "@/api/types";
import { aProject } from "@/testing/builders";
import { anExperiment } from "@/testing/experiment-builders";
import { answer, refuse } from "@/testing/fake-server";
import { anIterationSummary } from "@/testing/iteration-summaries";
import { axeViolations, renderPage } from "@/testing/render";
import { OwnPage } from "./own-page";

const TEXT = "Answer {{question}}.";
const FAILED = "No usable change was suggested. The diff does not apply.";

async function open(
  over: Partial<IterationSummary> = {},
  role: "EDITOR" | "REVIEWER" | "VIEWER" = "EDITOR",
) {
  const project = aProject({ role });
  const P = `projects/${project.slug}`;
  const iteration = anIterationSummary({
    state: "reviewing",
    problem: "refining_failed",
    message: FAILED,
    actions: ["suggest", "refine", "close"],
    ...over,
  });
  answer("get", `${P}/experiments/e1`, {
    ...anExperiment({ prompt_id: "p1", state: "reviewing" }),
    iterations: [iteration],
  });
  answer("get", `${P}/prompts/p1/versions/${iteration.version_id ?? ""}`, {
    id: iteration.version_id,
    label: "v1",
    syntax: "double",
    text: TEXT,
    system: null,
    few_shots: [],
  });
  const place = `${P}/experiments/e1/iterations/${iteration.id}`;
  const unchanged = { changes: [], is_unchanged: true, violations: [], problems: [] };
  answer("post", `${place}/suggestions/check`, unchanged);
  const onProposed = vi.fn();
  const view = await renderPage(
    <OwnPage project={project} experimentId="e1" onProposed={onProposed} />,
  );
  return { ...view, place, onProposed };
}

describe("the user's own suggestion", () => {
  it("says why nothing was suggested, and proposes what a member writes", async () => {
    const { user, container, place, onProposed } = await open();
    expect(await screen.findByText(FAILED)).toBeVisible();
    expect(screen.getByText("Parcels, iteration 1")).toBeVisible();
    const propose = await screen.findByRole("button", { name: "Propose change" });
    expect(propose).toHaveAttribute("aria-disabled", "true");
    expect(await axeViolations(container)).toEqual([]);
    answer("post", `${place}/suggestions/check`, {
      changes: [{ part: "text", before: TEXT, after: `${TEXT}!`, diff: "+Greet." }],
      is_unchanged: false,
      violations: [
        { rail: "length_change", message: "It grows by 80%.", measured: 0.8, allowed: 0.3 },
      ],
      problems: [],
    });
    const proposed = answer("post", `${place}/suggestions`, { id: "s9" }, { status: 201 });
    await user.click(await screen.findByRole("textbox", { name: "Your text" }));
    await user.keyboard("!");
    expect(await screen.findByText("It grows by 80%.")).toBeVisible();
    await waitFor(() => expect(propose).not.toHaveAttribute("aria-disabled"));
    await user.click(propose);
    expect(screen.getByText("Enter at least 10 characters.")).toBeVisible();
    expect(proposed).toEqual([]);
    await user.type(screen.getByRole("textbox", { name: /^Rationale/ }), " Greets people first. ");
    await user.click(propose);
    await waitFor(() => expect(onProposed).toHaveBeenCalledWith("s9"));
    expect(proposed[0]?.body).toMatchObject({ note: "Greets people first." });
    const text = (proposed[0]?.body as { text: string } | undefined)?.text;
    expect([text?.length, text?.replace("!", "")]).toEqual([TEXT.length + 1, TEXT]);
  });

  it("offers alternatives to editors only, and shows when one is refused", async () => {
    const { user, place } = await open({ problem: "no_suggestion", message: "It is fine." });
    expect(await screen.findByText("No change needed")).toBeVisible();
    refuse("post", `${place}/refine`, 409, { code: "CONFLICT", message: "Decide first." });
    await user.click(screen.getByRole("button", { name: "Re-run refiner" }));
    expect(await screen.findByText("Decide first.")).toBeVisible();
    const closed = answer("post", `${place}/close`, anIterationSummary());
    await user.click(screen.getByRole("button", { name: "Continue without a change" }));
    await waitFor(() => expect(closed).toHaveLength(1));
  });

  it("lets reviewers write, and viewers only read", async () => {
    const { unmount } = await open({}, "REVIEWER");
    expect(await screen.findByRole("button", { name: "Propose change" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Re-run refiner" })).toBeNull();
    unmount();
    await open({}, "VIEWER");
    expect(await screen.findByText(FAILED)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Propose change" })).toBeNull();
  });

  it("says that nothing waits, and leads back to the experiment", async () => {
    await open({ state: "executing" });
    const link = await screen.findByRole("link", { name: "Open experiment" });
    expect(link).toHaveAttribute("href", "/p/support-answers/experiments/e1");
  });
});
