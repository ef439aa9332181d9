import { describe, expect, it } from "vitest";
import { draftOf, freeName } from "./experiment-draft";
import { EMPTY_SESSION, newColumn, type ColumnSettings } from "./session";

const settings = (modelId: string, over: Partial<ColumnSettings> = {}): ColumnSettings => ({
  modelId,
  versionId: null,
  parameters: null,
  label: null,
  ...over,
});

describe("an experiment made of the page", () => {
  const blank = {
    objective: { goal: "" },
    judges: { judges: [], is_pairwise: false, scorer_version_ids: [] },
    data: { name: "", cases: [], uses_holdout: true },
  };
  const session = {
    ...EMPTY_SESSION,
    promptId: "pr1",
    columns: [
      newColumn(settings("m1", { versionId: "v1" })),
      newColumn(settings("m1", { versionId: "v2" })),
      newColumn(settings("m2", { parameters: { temperature: 0 } })),
    ],
  };

  it("asks each way of answering once, and takes the row entered by hand as a case", () => {
    const byHand = { ...session, inputs: { question: "Why?", tone: " " }, expected: "Because." };
    const draft = draftOf({ session: byHand, blank, graderVersionId: null });
    expect(draft.models?.models).toEqual([
      { model_id: "m1", parameters: null },
      { model_id: "m2", parameters: { temperature: 0 } },
    ]);
    expect(draft.prompt).toMatchObject({ prompt_id: "pr1", version_id: null });
    expect(draft.data).toMatchObject({
      dataset_id: null,
      cases: [{ inputs: { question: "Why?" }, expected: "Because.", tags: [] }],
    });
    expect(draft.judges).toMatchObject({ judges: [], scorer_version_ids: [] });
  });

  it("takes the grader's model as a judge, and the grader as a scorer before the others", () => {
    const graded = {
      ...session,
      columns: [newColumn(settings("m1", { versionId: "v1" }))],
      datasetId: "d1",
      inputs: { question: "left over" },
      graders: { promptId: "g1", modelId: "m5", scorers: [{ versionId: "s3", weight: 2 }] },
    };
    const draft = draftOf({ session: graded, blank, graderVersionId: "s9" });
    expect(draft.prompt).toMatchObject({ prompt_id: "pr1", version_id: "v1" });
    expect(draft.data).toMatchObject({ dataset_id: "d1", cases: [] });
    expect(draft.judges).toMatchObject({ judges: ["m5"], scorer_version_ids: ["s9", "s3"] });
    expect(freeName("Tone", ["tone", "Tone 2", "Other"])).toBe("Tone 3");
  });
});
