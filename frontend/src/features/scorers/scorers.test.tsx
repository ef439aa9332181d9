import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Rubric, ScorerTrial } from "@/api/types";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aScorer, aScorerKind } from "@/testing/library-builders";
import { axeViolations, renderPage } from "@/testing/render";
import { NewRubricPage } from "./rubric-page";
import { ScorerEditor } from "./scorer-editor";
import { ScorersPage } from "./scorers-page";

const PATH = "projects/support-answers";
const KIND = aScorerKind();
const SCORER = aScorer();
const EMPTY = { items: [], next: null, total: 0 };

const TRIAL: ScorerTrial = {
  value: 1,
  is_passed: true,
  flag: null,
  rationale: "1 of 1 found.",
  raw: null,
  criteria: {},
  cost_usd: "0",
  seconds: 0.01,
  questions: [],
  subject: { text: "Your parcel is near.", expected: null, inputs: {} },
};

function serveDefaults() {
  answer("get", `${PATH}/scorers/kinds`, [KIND]);
  answer("get", `${PATH}/models`, EMPTY);
  answer("get", `${PATH}/prompts`, EMPTY);
  answer("get", `${PATH}/datasets`, EMPTY);
  answer("get", `${PATH}/rubrics`, EMPTY);
}

function nth<T>(items: readonly T[], index: number): T {
  const found = items[index];
  if (found === undefined) {
    throw new Error(`There are only ${items.length}.`);
  }
  return found;
}

const handlers = { onOpened: vi.fn(), onLeft: vi.fn(), onHistoryOpened: vi.fn() };

describe("the library", () => {
  it("says of each scorer its kind, what it costs and who uses it", async () => {
    serveDefaults();
    answer("get", `${PATH}/scorers`, { items: [SCORER], next: null, total: 1 });
    await renderPage(
      <ScorersPage
        project={aProject()}
        shows="scorers"
        filters={{}}
        onFiltersChanged={vi.fn()}
        onOpened={vi.fn()}
      />,
    );
    const row = (await screen.findByText("Names the parcel")).closest("tr");
    expect(row).toHaveTextContent(/Contains.*Free.*v2.*3 runs/);
    expect(await axeViolations()).toEqual([]);
  });
});

describe("a saved scorer", () => {
  const editor = (
    <ScorerEditor
      project={aProject()}
      kind={KIND}
      scorer={SCORER}
      rubricVersionId={null}
      {...handlers}
    />
  );

  it("is tried while typing, and saved as a version of the loaded one", async () => {
    serveDefaults();
    const tried = answer("post", `${PATH}/scorers/try`, { ...TRIAL });
    const saved = answer("post", `${PATH}/scorers/s1/versions`, { ...SCORER }, { status: 201 });
    const { user } = await renderPage(editor);
    await user.type(screen.getByRole("textbox", { name: /^Answer to score/ }), "A parcel");
    const result = screen.getByRole("region", { name: "Result" });
    await waitFor(() => expect(result).toHaveTextContent("1 of 1 found."));
    expect(tried.at(-1)?.body).toMatchObject({
      scorer: { kind: "contains", options: { phrase: "parcel" } },
      sample: { text: "A parcel", expected: null },
    });
    await user.type(screen.getByRole("textbox", { name: /^Phrase/ }), "s");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    await waitFor(() =>
      expect(saved[0]?.body).toMatchObject({ options: { phrase: "parcels" }, based_on: 2 }),
    );
  });

  it("shows what the server refuses at the field it is about", async () => {
    serveDefaults();
    refuse("post", `${PATH}/scorers/s1/versions`, 400, {
      code: "VALIDATION_ERROR",
      details: [{ field: "options.phrase", message: "Too plain.", code: "x" }],
    });
    const { user } = await renderPage(editor);
    await user.type(screen.getByRole("textbox", { name: /^Phrase/ }), "s");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByText("Too plain.")).toBeInTheDocument();
  });
});

describe("a new rubric", () => {
  it("shows the sum of its weights, sends criteria in order and shows notices", async () => {
    const onOpened = vi.fn();
    const rubric = { id: "r1", name: "Replies" } as Rubric;
    answer("post", `${PATH}/rubrics/preview`, { system: "You judge.", question: "Judge this." });
    const sent = answer(
      "post",
      `${PATH}/rubrics`,
      { rubric, notices: [{ code: "weights_normalised", message: "They were divided." }] },
      { status: 201 },
    );
    const { user } = await renderPage(
      <NewRubricPage project={aProject()} onOpened={onOpened} onLeft={vi.fn()} />,
    );
    expect(await screen.findByText("You judge.")).toBeInTheDocument();
    await user.type(nth(screen.getAllByRole("textbox", { name: /^Name/ }), 0), "Replies");
    const first = nth(screen.getAllByRole("listitem"), 0);
    const second = nth(screen.getAllByRole("listitem"), 1);
    await user.type(within(first).getByRole("textbox", { name: /^Name/ }), "Tone");
    await user.type(within(second).getByRole("textbox", { name: /^Name/ }), "Facts");
    await user.clear(within(second).getByRole("spinbutton"));
    await user.type(within(second).getByRole("spinbutton"), "1");
    expect(screen.getByText("1.50")).toBeInTheDocument();
    screen.getByRole("button", { name: "Move criterion 2" }).focus();
    await user.keyboard("{ArrowUp}");
    await user.click(screen.getByRole("button", { name: "Save rubric" }));
    await waitFor(() => expect(onOpened).toHaveBeenCalledWith(rubric));
    expect(sent[0]?.body).toMatchObject({
      name: "Replies",
      criteria: [
        { name: "Facts", weight: 1, scale: "0-5" },
        { name: "Tone", weight: 0.5 },
      ],
    });
    expect(await screen.findByText("They were divided.")).toBeInTheDocument();
  });
});
