import type { Model, ParameterValues, RunDetail, RunRow, RunVariant } from "@/api/types";
import { modeOfColumns, type Column, type Graders, type Session } from "./session";

const GRADER_PROMPT = "grader_prompt";

export type KnownModel = Pick<Model, "id" | "call_parameters">;

/** What somebody set: a run writes down everything, the model's own values too. */
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

/** The columns a run was made of. Models that are gone since cannot be asked again. */
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
      // Where one version was asked, the next run asks what the editor holds by then.
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

/** What a row gives the form of inputs: text as it is, anything else as JSON. */
export function inputsOf(row: Pick<RunRow, "inputs"> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row?.inputs ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** The session that a run came from. The row is its only one where no dataset was asked. */
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
