import type { CaseRequest, ExperimentDraft } from "@/api/types";
import { parametersKey, type Column, type Session } from "./session";

/** Unique configurations: columns that differ only by version are merged. */
function modelsOf(columns: readonly Column[]): NonNullable<ExperimentDraft["models"]> {
  const ways = new Map(
    columns.map(({ modelId, parameters }) => [
      JSON.stringify([modelId, parametersKey(parameters)]),
      { model_id: modelId, parameters },
    ]),
  );
  return {
    models: [...ways.values()],
    grid: { temperature: [], max_tokens: [], top_p: [] },
    repeats: 1,
  };
}

/** The row entered by hand is the first case, if not empty. */
function casesOf({ inputs, expected }: Session): CaseRequest[] {
  const entered = Object.entries(inputs).filter(([, value]) => value.trim() !== "");
  return entered.length === 0
    ? []
    : [{ inputs: Object.fromEntries(entered), expected: expected || null, tags: [] }];
}

export interface DraftParts {
  session: Session & { promptId: string };
  /** Steps of a blank experiment. */
  blank: ExperimentDraft;
  /** The grader prompt as a saved scorer; null without a grader. */
  graderVersionId: string | null;
}

/** Draft of an experiment, prefilled from the playground. */
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
      // With several versions it is undecided which one to use.
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

/** First free name: "Tone", else "Tone 2" and so on. */
export function freeName(name: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((each) => each.toLowerCase()));
  let free = name;
  for (let number = 2; lower.has(free.toLowerCase()); number += 1) {
    free = `${name} ${number}`;
  }
  return free;
}
