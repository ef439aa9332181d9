import type { CaseRequest, ExperimentDraft } from "@/api/types";
import type { Column, Session } from "./session";

/** Each way of answering once: columns that differ by their version only are one. */
function modelsOf(columns: readonly Column[]): NonNullable<ExperimentDraft["models"]> {
  const ways = new Map(
    columns.map(({ modelId, parameters }) => [
      JSON.stringify([modelId, Object.entries(parameters ?? {}).sort()]),
      { model_id: modelId, parameters },
    ]),
  );
  return {
    models: [...ways.values()],
    grid: { temperature: [], max_tokens: [], top_p: [] },
    repeats: 1,
  };
}

/** The one row entered by hand is the first case, if anything was entered. */
function casesOf({ inputs, expected }: Session): CaseRequest[] {
  const entered = Object.entries(inputs).filter(([, value]) => value.trim() !== "");
  return entered.length === 0
    ? []
    : [{ inputs: Object.fromEntries(entered), expected: expected || null, tags: [] }];
}

export interface DraftParts {
  session: Session & { promptId: string };
  /** The steps as a new experiment has them. */
  blank: ExperimentDraft;
  /** The grader prompt as a saved scorer; null where nobody was asked to grade. */
  graderVersionId: string | null;
}

/** The steps of an experiment, as far as the playground knows them. */
export function draftOf({ session, blank, graderVersionId }: DraftParts): ExperimentDraft {
  const { promptId, columns, datasetId, graders } = session;
  const versions = new Set(columns.map(({ versionId }) => versionId));
  const [only] = versions;
  return {
    ...blank,
    prompt: {
      ...{ name: "", text: "", syntax: "double" as const },
      ...blank.prompt,
      prompt_id: promptId,
      // Several versions side by side leave open which of them is meant.
      version_id: versions.size === 1 ? (only ?? null) : null,
    },
    data: {
      ...{ name: "", uses_holdout: true },
      ...blank.data,
      dataset_id: datasetId,
      cases: datasetId === null ? casesOf(session) : [],
    },
    models: modelsOf(columns),
    judges: {
      is_pairwise: false,
      ...blank.judges,
      judges: graders.modelId === null || graders.promptId === null ? [] : [graders.modelId],
      scorer_version_ids: [
        ...(graderVersionId === null ? [] : [graderVersionId]),
        ...graders.scorers.map(({ versionId }) => versionId),
      ],
    },
  };
}

/** "Tone", or else "Tone 2" and so on. */
export function freeName(name: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((each) => each.toLowerCase()));
  let free = name;
  for (let number = 2; lower.has(free.toLowerCase()); number += 1) {
    free = `${name} ${number}`;
  }
  return free;
}
