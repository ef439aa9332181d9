import type { PlaygroundRequest } from "@/api/types";
import type { Session } from "./session";

/** The row entered by hand; null when empty. */
function enteredInputs(
  inputs: Session["inputs"],
  variables: readonly string[],
): Record<string, string> | null {
  const entered = variables.flatMap((name) => {
    const value = inputs[name] ?? "";
    return value.trim() === "" ? [] : [[name, value] as const];
  });
  return entered.length === 0 ? null : Object.fromEntries(entered);
}

/** Run request for the state of the page. */
export function requestOf(
  session: Session & { promptId: string },
  variables: readonly string[],
  /** Number of rows of the dataset to run; null for all. */
  limit: number | null = null,
): PlaygroundRequest {
  const { promptId, columns, datasetId, inputs, expected, graders } = session;
  return {
    prompt_id: promptId,
    columns: columns.map(({ modelId, versionId, parameters, label }) => ({
      model_id: modelId,
      version_id: versionId,
      parameters,
      label,
    })),
    dataset_id: datasetId,
    cases: datasetId === null || limit === null ? null : { limit },
    inputs: datasetId === null ? enteredInputs(inputs, variables) : null,
    expected: datasetId === null && expected.trim() !== "" ? expected : null,
    grader_prompt_id: graders.promptId,
    grader_model_id: graders.promptId === null ? null : graders.modelId,
    grader_form: "share",
    scorers: graders.scorers.map(({ versionId, weight }) => ({
      scorer_version_id: versionId,
      weight,
      is_negated: false,
    })),
    repeats: 1,
    is_cache_bypassed: false,
  };
}

/** Part of the page that an error belongs to. */
export type Place =
  { kind: "prompt" | "dataset" | "inputs" | "grader" } | { kind: "column"; index: number };

export function placeOf(field: string): Place | null {
  const [head = "", index] = field.split(".");
  if (head === "columns" && index !== undefined) {
    return { kind: "column", index: Number(index) };
  }
  if (head === "prompt_id") {
    return { kind: "prompt" };
  }
  if (head === "dataset_id" || head === "cases") {
    return { kind: "dataset" };
  }
  if (head === "inputs") {
    return { kind: "inputs" };
  }
  return head.startsWith("grader_") || head === "scorers" ? { kind: "grader" } : null;
}
