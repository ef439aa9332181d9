import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { AnnotationItem, AnnotationQueue, AnnotationStep } from "@/api/types";
import { aQueue } from "@/testing/annotation-builders";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { AnnotatePage } from "./annotate-page";
import { commandForKey } from "./annotation-keys";
import { answered, bodyOf, draftFor, isComplete } from "./answer-draft";
import { criteriaOf, emptyDraft, isCount, requestOf } from "./queue-draft";
import { QueuesPage } from "./queues-page";
import { aRun } from "@/testing/run-builders";

const project = aProject();
const PATH = `projects/${project.slug}/annotation-queues`;

function anItem(over: Partial<AnnotationItem> = {}): AnnotationItem {
  return {
    id: "i1",
    inputs: { message: "Where is my parcel?" },
    expected: "An apology",
    text: "**Sorry.** It is on its way.",
    parsed: null,
    lease_until: "2026-01-15T10:10:00Z",
    previous: null,
    ...over,
  };
}

const CRITERIA = [
  { name: "Tone", description: "", weight: 1 },
  { name: "Facts", description: "", weight: 1 },
];

async function renderQueue(queue: AnnotationQueue, first: AnnotationStep, role = project.role) {
  answer("get", `${PATH}/q1`, queue);
  answer("post", `${PATH}/q1/next`, first);
  return renderPage(
    <AnnotatePage project={aProject({ role })} queueId="q1" form="plain" onFormChanged={vi.fn()} />,
  );
}

describe("the way through a queue", () => {
  it("is walked by keys alone: score, comment, next, undo", async () => {
    const queue = aQueue();
    const second = anItem({ id: "i2", text: "No idea." });
    const later = aQueue({ progress: { ...queue.progress, my_answers: 1, left_for_me: 1 } });
    const scored = answer("put", `${PATH}/q1/items/i1/score`, { queue: later, item: second });
    const undone = answer("post", `${PATH}/q1/items/i1/undo`, {
      queue,
      item: anItem({ previous: { answer: 4, criteria: null, comment: "Fine" } }),
    });
    const { user } = await renderQueue(queue, { queue, item: anItem() });
    expect(await screen.findByText("**Sorry.** It is on its way.")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("heading", { name: "Answer" })).toHaveFocus());

    await user.keyboard("{Enter}");
    expect(scored).toHaveLength(0);
    await user.keyboard("4");
    expect(screen.getByRole("radio", { name: "4/5" })).toBeChecked();
    await user.keyboard("c");
    expect(screen.getByRole("textbox", { name: /Comment/ })).toHaveFocus();
    await user.keyboard("Fine 5s{Escape}{Enter}");
    expect(await screen.findByText("No idea.")).toBeVisible();
    expect(scored.map(({ body }) => body)).toEqual([{ answer: 4, comment: "Fine 5s" }]);
    expect(screen.getByRole("status")).toHaveTextContent("Answer 2. 1 left for you.");

    await user.keyboard("u");
    expect(await screen.findByText("**Sorry.** It is on its way.")).toBeVisible();
    expect(undone).toHaveLength(1);
    expect(screen.getByRole("radio", { name: "4/5" })).toBeChecked();
    expect(screen.getByRole("textbox", { name: /Comment/ })).toHaveValue("Fine");
  });

  it("asks why an answer is skipped", async () => {
    const queue = aQueue({ question: "thumbs" });
    const done = aQueue({ progress: { ...queue.progress, left_for_me: 0, answers: 2 } });
    const skipped = answer("post", `${PATH}/q1/items/i1/skip`, { queue: done, item: null });
    const { user } = await renderQueue(queue, { queue, item: anItem() });
    await screen.findByText("Thumbs up or down?");
    await user.keyboard("s");
    const dialog = screen.getByRole("dialog", { name: "Skip answer" });
    await user.click(within(dialog).getByRole("radio", { name: "I cannot judge this" }));
    await user.click(within(dialog).getByRole("button", { name: "Skip" }));
    expect(await screen.findByText("All done")).toBeVisible();
    expect(skipped.map(({ body }) => body)).toEqual([{ reason: "I cannot judge this" }]);
    expect(screen.getByRole("button", { name: "Undo last score" })).toBeVisible();
  });

  it("says that an answer went to another member, and takes the next", async () => {
    const queue = aQueue();
    refuse("put", `${PATH}/q1/items/i1/score`, 409, {
      code: "CONFLICT",
      message: "This output is not yours to score any more.",
    });
    const { user } = await renderQueue(queue, { queue, item: anItem() });
    await screen.findByText("**Sorry.** It is on its way.");
    answer("post", `${PATH}/q1/next`, { queue, item: anItem({ id: "i3", text: "Another." }) });
    await user.keyboard("2{Enter}");
    expect(await screen.findByText("This output is not yours to score any more.")).toBeVisible();
    expect(await screen.findByText("Another.")).toBeVisible();
  });

  it.each([
    [aQueue({ state: "paused" }), "EDITOR", "This queue is paused"],
    [aQueue({ state: "closed" }), "EDITOR", "This queue is closed"],
    [aQueue({ is_for_me: false }), "EDITOR", "Not assigned to you"],
    [aQueue(), "VIEWER", "You cannot score here"],
  ] as const)("says why there is nothing to score", async (queue, role, title) => {
    await renderQueue(queue, { queue, item: anItem() }, role);
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.queryByRole("radiogroup")).toBeNull();
  });

  it("can be used with a screen reader", async () => {
    const queue = aQueue({ criteria: CRITERIA });
    const { container } = await renderQueue(queue, { queue, item: anItem() });
    expect(await screen.findByRole("radiogroup", { name: "Facts" })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });
});

describe("what keys mean", () => {
  it("depends on the question", () => {
    const meanings = (queue: AnnotationQueue) =>
      ["1", "5", "6", "p", "f", "ArrowUp", "s"].map((key) => commandForKey(queue, key));
    expect(meanings(aQueue())).toEqual([1, 5, null, null, null, null, "skip"]);
    expect(meanings(aQueue({ question: "thumbs" }))).toEqual([null, null, null, 1, 0, 1, "skip"]);
    const byCriterion = aQueue({ question: "pass_fail", criteria: CRITERIA });
    expect(meanings(byCriterion)).toEqual([null, null, null, 1, 0, "up", "skip"]);
  });

  it("goes from criterion to criterion", () => {
    const queue = aQueue({ criteria: CRITERIA });
    const one = answered(queue, draftFor(anItem()), 5);
    expect([one.active, isComplete(queue, one)]).toEqual([1, false]);
    const both = answered(queue, one, 2);
    expect(isComplete(queue, both)).toBe(true);
    expect(bodyOf(queue, both)).toEqual({ criteria: { Tone: 5, Facts: 2 }, comment: null });
  });
});

describe("a new queue", () => {
  it("takes its criteria from the rubrics of its runs, each name once", () => {
    const judged = aRun();
    const options = { criteria: [...CRITERIA, { name: "tone" }] };
    const scorers = judged.scorers.map((scorer) => ({ ...scorer, options }));
    const criteria = criteriaOf([{ ...judged, scorers }, undefined, aRun()]);
    expect(criteria).toEqual(CRITERIA);
    const draft = { ...emptyDraft("r1"), name: " Q ", isByCriterion: true };
    expect(requestOf(draft, criteria)).toMatchObject({
      name: "Q",
      run_ids: ["r1"],
      criteria: CRITERIA,
      sample_size: 50,
    });
    expect(requestOf(draft, []).criteria).toBeNull();
  });

  it.each([
    ["1", true],
    ["0", false],
    ["2001", false],
    ["1.5", false],
    ["", false],
  ])("takes %s for a count: %s", (text, is) => {
    expect(isCount(text, 2000)).toBe(is);
  });
});

describe("the list of queues", () => {
  const page = (role: typeof project.role) => (
    <QueuesPage
      project={aProject({ role })}
      view={{}}
      onViewChanged={vi.fn()}
      onQueueOpened={vi.fn()}
      onResultsOpened={vi.fn()}
    />
  );

  it("says what is left for the reader", async () => {
    answer("get", PATH, { items: [aQueue()], next: null, total: 1 });
    const { container } = await renderPage(page("EDITOR"));
    const row = (await screen.findByRole("link", { name: "Refund replies" })).closest("tr");
    expect(row).toHaveTextContent("0 of 2 scores");
    expect(row).toHaveTextContent("2 left for you");
    expect(await axeViolations(container)).toEqual([]);
  });

  it("offers nothing to change to those who only score", async () => {
    answer("get", PATH, { items: [], next: null, total: 0 });
    await renderPage(page("REVIEWER"));
    expect(await screen.findByText("No queues yet")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Request human scores" })).toBeNull();
  });
});
