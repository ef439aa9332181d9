import type { RunDetail, RunRow } from "@/api/types";
import { modeOfColumns, type Column, type Graders, type Session } from "./session";

const GRADER_PROMPT = "grader_prompt";

/** The columns a run was made of. Models that are gone since cannot be asked again. */
export function columnsOf({ variants }: Pick<RunDetail, "variants">): Column[] {
  const columns = variants.map((variant) => ({
    variant,
    modelId: variant.model_id ?? "",
    versionId: variant.version_id,
    parameters: Object.keys(variant.parameters).length === 0 ? null : variant.parameters,
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
export function sessionOf(run: RunDetail, row?: Pick<RunRow, "inputs">): Session {
  return {
    promptId: run.variants[0]?.prompt_id ?? null,
    columns: columnsOf(run),
    datasetId: run.dataset_id,
    inputs: run.dataset_id === null ? inputsOf(row) : {},
    graders: gradersOf(run),
    runId: run.id,
  };
}
