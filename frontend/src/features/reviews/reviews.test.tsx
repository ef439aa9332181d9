import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Suggestion, SuggestionSummary } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { aComparison, aMean } from "@/testing/results-builders";
import { aSuggestion, aSuggestionSummary } from "@/testing/review-builders";
import { ReviewPage } from "./review-page";
import { ReviewsPage } from "./reviews-page";

const project = aProject({ role: "REVIEWER" });
const PATH = `projects/${project.slug}`;
const LENGTH = {
  rail: "length_change",
  message: "The text grows by 80%, and 30% are allowed.",
  measured: 0.8,
  allowed: 0.3,
};

const listOf = (...items: SuggestionSummary[]) => ({ items, next: null, total: items.length });

/** Mocks the server with a suggestion and others in the queue, and opens the page. */
async function open(suggestion: Suggestion, others: SuggestionSummary[] = []) {
  answer("get", `${PATH}/suggestions/${suggestion.id}`, suggestion);
  answer("get", `${PATH}/suggestions/${suggestion.id}/comments`, listOf());
  answer("get", `${PATH}/suggestions`, listOf(...others));
  answer("get", `${PATH}/experiments/e1/iterations/i1`, {
    metrics: null,
    suggestions: [suggestion, ...others].map(({ id, number, origin, state, trial }) => ({
      id,
      number,
      origin,
      state,
      targets: ["Tone"],
      trial_difference: trial?.comparison.difference.value ?? null,
    })),
  });
  const onSuggestionOpened = vi.fn();
  const view = await renderPage(
    <ReviewPage
      project={project}
      suggestionId={suggestion.id}
      onSuggestionOpened={onSuggestionOpened}
      onIterationOpened={vi.fn()}
    />,
  );
  await screen.findByRole("heading", { name: "Better replies" });
  return { ...view, onSuggestionOpened };
}

const decided = (
  suggestion: Suggestion,
  decision: "approved" | "rejected",
  reason: string | null,
) => ({
  suggestion: {
    ...suggestion,
    state: decision,
    decided_at: "2026-01-16T10:00:00Z",
    decided_by: "ada@example.org",
    review: {
      decision,
      reviewer: "ada@example.org",
      reason,
      version_id: decision === "approved" ? "v2" : null,
      created_at: "2026-01-16T10:00:00Z",
    },
  },
  version_id: decision === "approved" ? "v2" : null,
  next_iteration_id: decision === "approved" ? "i2" : null,
  stop_message: null,
});

describe("the trial", () => {
  it("shows the scores on the training cases beside the change", async () => {
    const trial = {
      run_id: "r9",
      version_label: "v1",
      comparison: aComparison({
        verdict: "worse",
        difference: aMean(-0.12),
        baseline_mean: 0.56,
        other_mean: 0.44,
      }),
      criteria: [{ name: "Tone", before: 0.4, after: 0.2 }],
    };
    const other = aSuggestionSummary({ id: "s2", number: 2, origin: "rubric" });
    await open(aSuggestion({ trial, base: { id: "v0", name: "Replies", label: "v0" } }), [other]);
    expect(await screen.findByRole("heading", { name: "Trial on training cases" })).toBeVisible();
    expect(screen.getByText("5.6 → 4.4")).toHaveTextContent("5.6 → 4.4−1.2");
    expect(screen.getByText("4.0 → 2.0")).toBeVisible();
    expect(screen.getByText("Worse")).toBeVisible();
    expect(screen.getByRole("link", { name: "Open the run" })).toBeVisible();
    expect(screen.getByText(/Based on v0, which scores higher/)).toBeVisible();
    expect(await screen.findByRole("link", { name: /Suggestion 1.*−1.2/ })).toBeVisible();
  });
});

describe("the change", () => {
  it("shows a diff for every part that changes", async () => {
    const changes = [
      { part: "system" as const, before: "", after: "Be kind.", diff: "@@ -0,0 +1 @@\n+Be kind." },
      {
        part: "few_shots" as const,
        before: "",
        after: "User:\nWhere?\nAssistant:\nHere.\n",
        diff: "@@ -0,0 +1 @@\n+User:",
      },
    ];
    await open(aSuggestion({ changes }));
    expect(await screen.findByRole("heading", { name: "System text" })).toBeVisible();
    expect(screen.getByRole("heading", { name: "Few-shot examples" })).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Main text" })).toBeNull();
  });
});

describe("the queue", () => {
  it("shows what waits, what it is about, and what waits for an edit", async () => {
    const seen = answer(
      "get",
      `${PATH}/suggestions`,
      listOf(
        aSuggestionSummary({ violations: [LENGTH] }),
        aSuggestionSummary({ id: "s2", number: 2, origin: "rubric", targets: [] }),
      ),
    );
    answer("get", `${PATH}/experiments`, {
      items: [
        { id: "e1", name: "Better replies", waiting_suggestions: 2 },
        { id: "e2", name: "Stuck one", waiting_suggestions: 0 },
      ],
      next: null,
      total: 2,
    });
    const onViewChanged = vi.fn();
    const { user } = await renderPage(
      <ReviewsPage project={project} view={{}} onViewChanged={onViewChanged} />,
    );
    const table = await screen.findByRole("table", { name: "Reviews" });
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("Guardrail exceeded: Length");
    expect(first).toHaveTextContent("Tone");
    expect(second).toHaveTextContent("Rubric baseline");
    expect(second).toHaveTextContent("None");
    expect(await screen.findByRole("link", { name: "Stuck one" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Better replies" })).toBeNull();
    expect(seen[0]?.url.searchParams.get("state")).toBeNull();
    await user.click(screen.getByRole("combobox", { name: "State" }));
    await user.click(await screen.findByRole("option", { name: "Rejected" }));
    expect(onViewChanged).toHaveBeenCalledWith({ state: "rejected" });
    expect(await axeViolations()).toEqual([]);
  });
});

describe("a review", () => {
  it("is read and rejected by keyboard, with a reason, and leads to the next", async () => {
    const suggestion = aSuggestion();
    const other = aSuggestionSummary({ id: "s2", number: 2, origin: "rubric" });
    const { user, onSuggestionOpened } = await open(suggestion, [other]);
    expect(
      await screen.findByRole("link", { name: "Suggestion 2: Rubric baseline" }),
    ).toBeVisible();
    expect(screen.getByText("now 4.2/10")).toBeVisible();
    expect(screen.getByText("Within all guardrails.")).toBeVisible();
    expect(screen.getByText("Answer to: Where is it?")).toBeVisible();
    await user.keyboard("j");
    expect(screen.getByText("Answer to: It is broken.")).toBeVisible();
    expect(screen.getByText("2 of 2")).toBeVisible();
    expect(await axeViolations()).toEqual([]);

    const answered = decided(suggestion, "rejected", "We never say sorry.");
    const sent = answer("post", `${PATH}/suggestions/s1/reject`, answered);
    await user.keyboard(",");
    const dialog = await screen.findByRole("dialog", { name: "Reject this suggestion?" });
    await user.click(within(dialog).getByRole("button", { name: "Reject" }));
    expect(within(dialog).getByText("Give a reason.")).toBeVisible();
    expect(sent).toEqual([]);
    answer("get", `${PATH}/suggestions/s1`, answered.suggestion);
    await user.type(within(dialog).getByLabelText(/Reason/), "We never say sorry.");
    await user.click(within(dialog).getByRole("button", { name: "Reject" }));
    const card = await screen.findByRole("region", { name: "Decision" });
    expect(sent[0]?.body).toEqual({ reason: "We never say sorry." });
    expect(card).toHaveTextContent("by ada@example.org");
    expect(card).toHaveTextContent("We never say sorry.");
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    await waitFor(() => expect(within(card).getByText("Next suggestion")).toBeVisible());
    await user.keyboard("n");
    expect(onSuggestionOpened).toHaveBeenCalledWith("s2");
  });

  it("asks for confirmation when guardrails are exceeded, and when the prompt moved on", async () => {
    const suggestion = aSuggestion({ violations: [LENGTH] });
    const { user } = await open(suggestion);
    refuse("post", `${PATH}/suggestions/s1/approve`, 409, { code: "BASE_CHANGED" });
    await user.keyboard(".");
    const rails = await screen.findByRole("dialog", { name: /despite exceeded guardrails/ });
    expect(rails).toHaveTextContent(LENGTH.message);
    answer("get", `${PATH}/suggestions/s1`, {
      ...suggestion,
      latest: { id: "v3", name: "Replies", label: "v3" },
      is_base_latest: false,
    });
    await user.click(within(rails).getByRole("button", { name: "Approve anyway" }));
    const moved = await screen.findByRole("dialog", { name: "The prompt is now at v3" });
    const answered = decided(suggestion, "approved", null);
    const sent = answer("post", `${PATH}/suggestions/s1/approve`, answered);
    answer("get", `${PATH}/suggestions/s1`, answered.suggestion);
    await user.click(within(moved).getByRole("button", { name: "Branch from v1" }));
    expect(await screen.findByText("Approved. The next iteration started.")).toBeVisible();
    expect(sent[0]?.body).toEqual({ reason: null, may_branch: true });
    const card = await screen.findByRole("region", { name: "Decision" });
    expect(within(card).getByRole("link", { name: "Open next iteration" })).toBeVisible();
  });

  it("approves an edit that was checked, and says when another member was faster", async () => {
    const suggestion = aSuggestion();
    const { user } = await open(suggestion);
    const checked = answer("post", `${PATH}/suggestions/s1/check`, {
      changes: suggestion.changes,
      is_unchanged: false,
      violations: [LENGTH],
      problems: [],
    });
    await user.keyboard("e");
    expect(await screen.findByText(LENGTH.message)).toBeVisible();
    expect(checked[0]?.body).toEqual(suggestion.after);
    const sent = refuse("post", `${PATH}/suggestions/s1/edit`, 409, { code: "ALREADY_DECIDED" });
    const answered = decided(suggestion, "approved", null);
    answer("get", `${PATH}/suggestions/s1`, answered.suggestion);
    await user.click(screen.getByRole("button", { name: "Approve with edits" }));
    const dialog = await screen.findByRole("dialog", { name: /despite exceeded guardrails/ });
    await user.click(within(dialog).getByRole("button", { name: "Approve anyway" }));
    expect(await screen.findByText(/Another member decided/)).toBeVisible();
    expect(sent[0]?.body).toEqual({ ...suggestion.after, reason: null, may_branch: false });
    expect(await screen.findByRole("region", { name: "Decision" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Approve with edits" })).toBeNull();
  });
});
