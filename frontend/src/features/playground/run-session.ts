import type { Model, ParameterValues, RunDetail, RunRow, RunVariant } from "@/api/types";
import { modeOfColumns, type Column, type Graders, type Session } from "./session";

const GRADER_PROMPT = "grader_prompt";

export type KnownModel = Pick<Model, "id" | "call_parameters">;

/** Parameters that differ from the model's own: a run stores all of them. */
function setOf(
  { model_id, parameters }: Pick<RunVariant, "model_id" | "parameters">,
  models: readonly KnownModel[],
): ParameterValues | null {
  const own: Record<string, unknown> = {
    ...models.find(({ id }) => id === model_id)?.call_parameters,
  };
  const set = Object.entries(parameters).filter(
    ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(own[name] ?? null),
  );
  return set.length === 0 ? null : Object.fromEntries(set);
}

/** Columns of a run, without models that no longer exist. */
export function columnsOf(
  { variants }: Pick<RunDetail, "variants">,
  models: readonly KnownModel[],
): Column[] {
  const columns = variants.map((variant) => ({
    variant,
    modelId: variant.model_id ?? "",
    versionId: variant.version_id,
    parameters: setOf(variant, models),
    label: null,
  }));
  const mode = modeOfColumns(columns);
  return columns
    .filter(({ modelId }) => modelId !== "")
    .map(({ variant, ...settings }) => ({
      ...settings,
      key: crypto.randomUUID(),
      // Outside version mode, the next run uses the editor's draft.
      versionId: mode === "versions" ? settings.versionId : null,
      label: mode === "versions" ? variant.version_label : null,
      position: variant.position,
    }));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null);

function gradersOf({ scorers }: Pick<RunDetail, "scorers">): Graders {
  const grader = scorers.find(
    ({ kind, scorer_version_id }) => kind === GRADER_PROMPT && scorer_version_id === null,
  );
  return {
    promptId: textOf(grader?.options.prompt_id),
    modelId: textOf(grader?.options.model_id),
    scorers: scorers.flatMap(({ scorer_version_id, weight }) =>
      scorer_version_id === null ? [] : [{ versionId: scorer_version_id, weight }],
    ),
  };
}

/** Input form values of a row: strings unchanged, other values as JSON. */
export function inputsOf(row: Pick<RunRow, "inputs"> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row?.inputs ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** Session of a run. `row` is its only row when no dataset was used. */
export function sessionOf(
  run: RunDetail,
  models: readonly KnownModel[],
  row?: Pick<RunRow, "inputs" | "expected">,
): Session {
  return {
    promptId: run.variants[0]?.prompt_id ?? null,
    columns: columnsOf(run, models),
    datasetId: run.dataset_id,
    inputs: run.dataset_id === null ? inputsOf(row) : {},
    expected: (run.dataset_id === null ? row?.expected : null) ?? "",
    graders: gradersOf(run),
    runId: run.id,
  };
}
