import { describe, expect, it } from "vitest";
import type { Case } from "@/api/types";
import { progressOf } from "@/api/project-events";
import { arrangeDatasets } from "./arrange";
import { newInput, readForm, toForm, toRequest } from "./case-form-state";
import { formProblems, newForm, toGeneration, toggle } from "./generate-form-state";
import { expectedCases, rename, mapColumn, variableName } from "./import-mapping";

const AT = "2026-01-15T10:00:00Z";
const ROW: Case = {
  id: "c1",
  dataset_id: "d1",
  version: 1,
  position: 1,
  inputs: { question: "Where?", order: 7 },
  expected: null,
  tags: ["late", "vip"],
  difficulty: 3,
  split: "holdout",
  origin: "golden",
  notes: null,
  author_id: null,
  created_at: AT,
  updated_at: AT,
};
const WORDS = {
  nameMissing: "Name it",
  nameTwice: "Twice",
  badJson: (problem: string) => `Bad: ${problem}`,
};

describe("the form of a case", () => {
  it("comes back as the case it was made of", () => {
    const form = toForm(ROW, ["question", "order", "context"]);
    expect(form.inputs.map(({ name, isPresent }) => [name, isPresent])).toEqual([
      ["question", true],
      ["order", true],
      ["context", false],
    ]);
    const read = readForm(form, WORDS);
    expect(read).toMatchObject({ ok: true, draft: { inputs: ROW.inputs, tags: ["late", "vip"] } });
  });

  it("names each field that is wrong", () => {
    const form = toForm(ROW, []);
    const broken = form.inputs.map((field) =>
      field.name === "order" ? { ...field, text: "{" } : field,
    );
    const copy = { ...newInput(), name: "question" };
    const read = readForm({ ...form, inputs: [...broken, copy, newInput()] }, WORDS);
    expect(read.ok ? [] : Object.keys(read.errors)).toEqual(["inputs.order", "name.2", "name.3"]);
  });

  it("leaves split and origin of a new case to the server", () => {
    const form = toForm(null, ["question"]);
    const read = readForm(form, WORDS);
    expect(read.ok && toRequest(form, read.draft)).toMatchObject({ split: null, origin: null });
  });
});

describe("the mapping of columns", () => {
  const mapping = [
    { column: "Customer question", target: "ignored" as const, variable: null, is_json: false },
    { column: "tags", target: "tags" as const, variable: null, is_json: false },
  ];

  it("gives a variable a name that prompts can ask for", () => {
    expect(variableName("inputs.order id:json")).toBe("order_id");
    expect(variableName("2nd")).toBe("_2nd");
    expect(variableName("?!")).toBe("value");
    const changed = mapColumn(mapping, "Customer question", "variable");
    expect(changed[0]).toMatchObject({ target: "variable", variable: "Customer_question" });
    expect(rename(changed, "Customer question", "q")[0]).toMatchObject({ variable: "q" });
    expect(mapColumn(changed, "Customer question", "notes")[0]).toMatchObject({ variable: null });
  });

  it("counts what would be added", () => {
    const preview = { good_rows: 10, copies_in_file: 2, copies_in_dataset: 3 };
    expect(expectedCases(preview, false)).toBe(10);
    expect(expectedCases(preview, true)).toBe(5);
  });
});

describe("the form of a generation", () => {
  it("asks for what its kind needs before a model is called", () => {
    const form = newForm("synthetic", "m1", undefined);
    expect(formProblems({ ...form, count: "9", hints: "short" })).toEqual({
      count: "count",
      hints: "hints",
    });
    expect(formProblems({ ...form, kind: "questions", count: "1", topic: " " })).toEqual({
      topic: "topic",
    });
    expect(formProblems({ ...form, kind: "adversarial", attacks: [] })).toEqual({
      prompt_id: "prompt",
      attacks: "attacks",
    });
    expect(formProblems({ ...form, kind: "gaps" })).toEqual({});
  });

  it("sends only what belongs to its kind", () => {
    const form = newForm("gaps", "m1", "Tags: late");
    expect(toGeneration(form)).toEqual({
      kind: "gaps",
      model_id: "m1",
      count: 20,
      variables: [],
      tags: [],
      with_expected: false,
      hints: "Tags: late",
      diversity: 5,
    });
  });

  it("keeps the order of what is chosen", () => {
    expect(toggle(["a", "b", "c"], ["c"], "a")).toEqual(["a", "c"]);
    expect(toggle(["a", "b", "c"], ["a", "c"], "a")).toEqual(["c"]);
  });
});

describe("the list of datasets", () => {
  const one = {
    ...{ description: null, tags: [], holdout_percent: 20 },
    ...{ archived_at: null, last_used_at: null },
    created_at: AT,
  };
  const datasets = [
    { ...one, id: "1", name: "Golden", kind: "golden" as const, case_count: 3, updated_at: AT },
    {
      ...one,
      id: "2",
      name: "Attacks",
      kind: "adversarial" as const,
      case_count: 9,
      updated_at: "2026-02-01T00:00:00Z",
    },
    {
      ...one,
      id: "3",
      name: "Old",
      kind: "manual" as const,
      case_count: 1,
      updated_at: AT,
      archived_at: AT,
    },
  ];
  const names = (view: Parameters<typeof arrangeDatasets>[1]) =>
    arrangeDatasets(datasets, view).map(({ name }) => name);

  it("shows active ones by default, the last updated first", () => {
    expect(names({})).toEqual(["Attacks", "Golden"]);
    expect(names({ status: "archived" })).toEqual(["Old"]);
    expect(names({ status: "all", sort: "name" })).toEqual(["Attacks", "Golden", "Old"]);
    expect(names({ q: "gold" })).toEqual(["Golden"]);
    expect(names({ kind: "adversarial" })).toEqual(["Attacks"]);
  });
});

describe("progress of work", () => {
  it("is read from its events alone", () => {
    const data = { entity_id: "i1", rows_checked: 5, row_count: 10 };
    expect(progressOf("import.progress", data)).toEqual({ entity_id: "i1", done: 5, total: 10 });
    expect(progressOf("dataset.changed", data)).toBeNull();
    expect(progressOf("import.progress", null)).toBeNull();
  });
});
