import { describe, expect, it } from "vitest";
import { aRow, aRun, aVariant } from "@/testing/run-builders";
import { parameterColumns, readValues, versionColumns } from "./arrange";
import { placeOf, requestOf } from "./run-request";
import { sessionOf } from "./run-session";
import {
  addColumn,
  editColumn,
  EMPTY_SESSION,
  modeOfColumns,
  newColumn,
  nextMetric,
  rearrange,
  removeColumn,
  started,
  withModels,
  withPrompt,
  type ColumnSettings,
} from "./session";

const settings = (modelId: string, over: Partial<ColumnSettings> = {}): ColumnSettings => ({
  modelId,
  versionId: null,
  parameters: null,
  label: null,
  ...over,
});
const columns = [
  { ...newColumn(settings("m1")), position: 0 },
  { ...newColumn(settings("m1")), position: 1 },
  { ...newColumn(settings("m2")), position: 2 },
];
const [first, second, third] = columns as [
  (typeof columns)[0],
  (typeof columns)[0],
  (typeof columns)[0],
];

describe("columns", () => {
  it("lose their answers when they ask another model", () => {
    expect(editColumn(columns, second.key, settings("m3"))).toEqual([
      first,
      { ...second, modelId: "m3", position: null },
      third,
    ]);
  });

  it("keep their answers when the same is asked again", () => {
    expect(editColumn(columns, first.key, settings("m1"))).toEqual(columns);
  });

  it("go one by one, but for the last", () => {
    expect(removeColumn(columns, first.key)).toEqual([second, third]);
    expect(removeColumn([first], first.key)).toEqual([first]);
  });

  it("are at most as many as a run may have", () => {
    const many = Array.from({ length: 32 }, (_, index) => newColumn(settings(`m${index}`)));
    expect(addColumn(many, settings("more"))).toHaveLength(32);
    expect(addColumn(columns, settings("more")).at(-1)).toMatchObject({
      modelId: "more",
      position: null,
    });
  });

  it("are the run's variants, one by one, once it began", () => {
    const begun = started({ ...EMPTY_SESSION, columns: [third, first] }, "r9");
    expect(begun.runId).toBe("r9");
    expect(begun.columns.map(({ modelId, position }) => [modelId, position])).toEqual([
      ["m2", 0],
      ["m1", 1],
    ]);
  });

  it("keep what is known when they are rearranged", () => {
    const next = rearrange(columns, [settings("m2"), settings("m1"), settings("m9")]);
    expect(next.map(({ modelId, position }) => [modelId, position])).toEqual([
      ["m2", 2],
      ["m1", 0],
      ["m9", null],
    ]);
  });

  it("forget versions and answers of another prompt", () => {
    const session = { ...EMPTY_SESSION, promptId: "p1", columns: [{ ...first, versionId: "v1" }] };
    expect(withPrompt(session, "p1")).toBe(session);
    expect(withPrompt(session, "p2").columns).toEqual([
      { ...first, versionId: null, position: null },
    ]);
  });

  it("fall back to the default model when theirs are gone", () => {
    const models = [
      { id: "m7", is_enabled: true, is_default: false },
      { id: "m8", is_enabled: true, is_default: true },
    ];
    const lost = { ...EMPTY_SESSION, columns: [{ ...first, position: null }] };
    expect(withModels(lost, models).columns.map(({ modelId }) => modelId)).toEqual(["m8"]);
    const answered = { ...EMPTY_SESSION, columns: [first] };
    expect(withModels(answered, models)).toEqual(answered);
  });
});

it("shows one metric after the other", () => {
  const shown = ["grade", "tokens", "cost", "latency"] as const;
  expect(shown.map(nextMetric)).toEqual(["tokens", "cost", "latency", "grade"]);
});

describe("ways to compare", () => {
  it("makes a column of every combination of values", () => {
    const made = parameterColumns("m1", { temperature: [0, 1], top_p: [0.5, 0.9] });
    expect(made.map(({ parameters }) => parameters)).toEqual([
      { temperature: 0, top_p: 0.5 },
      { temperature: 0, top_p: 0.9 },
      { temperature: 1, top_p: 0.5 },
      { temperature: 1, top_p: 0.9 },
    ]);
    expect(modeOfColumns(made)).toBe("parameters");
  });

  it("reads values as people write them", () => {
    expect(readValues("0, 0.5; 1  1")).toEqual([0, 0.5, 1]);
    expect(readValues("")).toEqual([]);
    expect(readValues("warm")).toBeNull();
  });

  it("names the columns of versions after them", () => {
    const made = versionColumns("m1", [null, { id: "v2", label: "v2", name: "Reply" }], "Draft");
    expect(made.map(({ versionId, label }) => [versionId, label])).toEqual([
      [null, "Draft"],
      ["v2", "v2"],
    ]);
    expect(modeOfColumns(made)).toBe("versions");
  });
});

describe("the session of a run", () => {
  const grader = {
    id: "s1",
    position: 0,
    kind: "grader_prompt",
    label: "Grader",
    weight: 1,
    threshold: null,
    is_negated: false,
    scorer_version_id: null,
    options: { prompt_id: "g1", model_id: "m5" },
  };

  it("asks models again with what the editor holds by then", () => {
    const run = aRun({
      variants: [
        aVariant({ position: 0, model_id: "m1" }),
        aVariant({ position: 1, model_id: null }),
        aVariant({ position: 2, model_id: "m2" }),
      ],
      scorers: [grader, { ...grader, kind: "judge", scorer_version_id: "s3", weight: 2 }],
    });
    const session = sessionOf(run, []);
    expect(session).toMatchObject({
      promptId: "pr1",
      datasetId: "d1",
      runId: "r1",
      graders: { promptId: "g1", modelId: "m5", scorers: [{ versionId: "s3", weight: 2 }] },
    });
    expect(
      session.columns.map(({ modelId, versionId, position }) => [modelId, versionId, position]),
    ).toEqual([
      ["m1", null, 0],
      ["m2", null, 2],
    ]);
  });

  it("keeps versions apart where they were compared", () => {
    const { columns: restored } = sessionOf(
      aRun({
        variants: [
          aVariant({ position: 0, version_id: "ve1", version_label: "v1" }),
          aVariant({ position: 1, version_id: "ve2", version_label: "v2" }),
        ],
      }),
      [],
    );
    expect(restored.map(({ versionId, label }) => [versionId, label])).toEqual([
      ["ve1", "v1"],
      ["ve2", "v2"],
    ]);
  });

  it("takes what was entered by hand from the only row", () => {
    const row = { ...aRow(0), inputs: { question: "Why?", tags: ["a"] }, expected: "Because." };
    expect(sessionOf(aRun({ dataset_id: null }), [], row)).toMatchObject({
      inputs: { question: "Why?", tags: '["a"]' },
      expected: "Because.",
    });
  });

  it("shows the parameters of a column that were set", () => {
    const models = [{ id: "m1", call_parameters: { temperature: 0.7, max_tokens: 4096 } }];
    const parameters = { temperature: 0.7, max_tokens: 4096, stop: null };
    const { columns: restored } = sessionOf(
      aRun({
        variants: [
          aVariant({ position: 0, model_id: "m1", parameters }),
          aVariant({ position: 1, model_id: "m1", parameters: { ...parameters, temperature: 0 } }),
        ],
      }),
      models,
    );
    expect(restored.map((column) => column.parameters)).toEqual([null, { temperature: 0 }]);
  });
});

describe("what is sent", () => {
  const session = {
    ...EMPTY_SESSION,
    promptId: "p1",
    columns: [first],
    inputs: { question: "Why?", gone: "x", empty: " " },
    graders: { promptId: null, modelId: "m5", scorers: [{ versionId: "s3", weight: 2 }] },
  };

  it("has one row of what was entered for the variables of the prompt", () => {
    expect(requestOf(session, ["question", "empty"])).toMatchObject({
      prompt_id: "p1",
      dataset_id: null,
      inputs: { question: "Why?" },
      grader_prompt_id: null,
      grader_model_id: null,
      scorers: [{ scorer_version_id: "s3", weight: 2 }],
    });
  });

  it("has no row where a dataset is asked, or nothing was entered", () => {
    expect(requestOf({ ...session, datasetId: "d1" }, ["question"]).inputs).toBeNull();
    expect(requestOf(session, []).inputs).toBeNull();
  });

  it("comes back with the place of every complaint", () => {
    const fields = ["columns.2.model_id", "dataset_id", "cases", "inputs", "grader_model_id", "x"];
    expect(fields.map(placeOf)).toEqual([
      { kind: "column", index: 2 },
      { kind: "dataset" },
      { kind: "dataset" },
      { kind: "inputs" },
      { kind: "grader" },
      null,
    ]);
  });
});
