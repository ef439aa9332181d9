import type { FieldProblem } from "@/api/problem";
import type { RunRequest } from "@/api/types";
import type { CaseFilter } from "@/components/case-filter/case-filter-fields";
import type { FormValue } from "@/components/schema-form/schema";
import { filledOnly, type FieldErrors } from "@/components/schema-form/validate";
import { scorerRequestOf, type ScorerDraft } from "@/components/scorer-fields/scorer-draft";

export interface PromptChoice {
  promptId: string;
  /** Null: the draft, which becomes a version if it was changed. */
  versionId: string | null;
}

export interface ComparerDraft {
  /** Stable list key while comparers are edited. */
  key: number;
  kind: string;
  options: FormValue;
  /** Compares every variant with the first one only, instead of all pairs. */
  isAgainstFirst: boolean;
}

/** Form state of a new run. */
export interface RunDraft {
  name: string;
  prompts: readonly PromptChoice[];
  modelIds: readonly string[];
  /** `inputs`: one case, entered by hand. */
  source: "dataset" | "inputs";
  datasetId: string | null;
  filter: CaseFilter;
  inputs: Readonly<Record<string, string>>;
  repeats: number | null;
  /** Answers in place of a model that fails permanently. */
  fallbackModelId: string | null;
  /** Each is combined with every prompt and model; an empty set uses the models' own. */
  parameterSets: readonly FormValue[];
  scorers: readonly ScorerDraft[];
  comparers: readonly ComparerDraft[];
  isCacheBypassed: boolean;
  /** Redacts personal data from answers before they are stored. */
  isRedacted: boolean;
  failedCountZero: boolean;
}

export interface RunPreset {
  prompt?: string | undefined;
  version?: string | undefined;
  model?: string | undefined;
  dataset?: string | undefined;
}

export function newDraft({ prompt, version, model, dataset }: RunPreset): RunDraft {
  return {
    name: "",
    prompts: prompt === undefined ? [] : [{ promptId: prompt, versionId: version ?? null }],
    modelIds: model === undefined ? [] : [model],
    source: "dataset",
    datasetId: dataset ?? null,
    filter: {},
    inputs: {},
    repeats: 1,
    fallbackModelId: null,
    parameterSets: [{}],
    scorers: [],
    comparers: [],
    isCacheBypassed: false,
    isRedacted: false,
    failedCountZero: false,
  };
}

/** Variants in column order: grouped by prompt. */
function variantsOf({
  prompts,
  modelIds,
  parameterSets,
  fallbackModelId,
}: RunDraft): RunRequest["variants"] {
  return prompts.flatMap(({ promptId, versionId }) =>
    modelIds.flatMap((modelId) =>
      parameterSets.map((values) => {
        const set = filledOnly(values);
        return {
          prompt_id: promptId,
          version_id: versionId,
          model_id: modelId,
          parameters: Object.keys(set).length === 0 ? null : set,
          ...(fallbackModelId === null || fallbackModelId === modelId
            ? {}
            : { fallback_model_id: fallbackModelId }),
        };
      }),
    ),
  );
}

function casesOf({ source, datasetId, filter, inputs }: RunDraft): Partial<RunRequest> {
  if (source === "inputs") {
    return { inputs: [{ ...inputs }] };
  }
  const { limit, split, tag } = filter;
  const isFiltered = split !== undefined || tag !== undefined;
  const cases = {
    ...(isFiltered ? { filter: filledOnly({ split, tag }) } : {}),
    ...(limit === null || limit === undefined ? {} : { limit }),
  };
  return {
    ...(datasetId === null ? {} : { dataset_id: datasetId }),
    ...(Object.keys(cases).length === 0 || datasetId === null ? {} : { cases }),
  };
}

export const comparerRequestOf = ({ kind, options, isAgainstFirst }: ComparerDraft) => ({
  kind,
  options: filledOnly(options),
  ...(isAgainstFirst ? { baseline: 0 } : {}),
});

/** Run request; null while there is no variant. */
export function requestOf(draft: RunDraft): RunRequest | null {
  const variants = variantsOf(draft);
  if (variants.length === 0) {
    return null;
  }
  const name = draft.name.trim();
  return {
    ...(name === "" ? {} : { name }),
    variants,
    ...casesOf(draft),
    repeats: draft.repeats ?? 1,
    scorers: draft.scorers.map(scorerRequestOf),
    ...(draft.comparers.length === 0 ? {} : { comparers: draft.comparers.map(comparerRequestOf) }),
    is_cache_bypassed: draft.isCacheBypassed,
    failed_count_zero: draft.failedCountZero,
    origin: "api",
    ...(draft.isRedacted ? { redact_pii: {} } : {}),
  };
}

/** Form field for a path in the server's errors. */
function placeOf(path: string, { modelIds, parameterSets }: RunDraft): string {
  const [, index, rest] = /^variants\.(\d+)\.(.+)$/.exec(path) ?? [];
  if (index === undefined || rest === undefined) {
    return path;
  }
  const models = Math.max(1, modelIds.length);
  const column = Math.floor(Number(index) / parameterSets.length);
  if (rest === "prompt_id" || rest === "version_id") {
    return `prompts.${Math.floor(column / models)}`;
  }
  if (rest === "model_id") {
    return `models.${column % models}`;
  }
  return rest.replace(/^parameters\./, `parameters.${Number(index) % parameterSets.length}.`);
}

/** Server errors by form field. */
export function placeProblems(draft: RunDraft, problems: readonly FieldProblem[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { field, message } of problems) {
    const place = placeOf(field, draft);
    const known = errors[place];
    // Variants of a prompt may have the same error.
    errors[place] =
      known === undefined || known.includes(message) ? message : `${known} ${message}`;
  }
  return errors;
}

const SHOWN =
  /^(name|repeats|dataset_id|cases(\.|$)|inputs(\.|$)|prompts\.|models\.|parameters\.|fallback_model_id|scorers\.|comparers\.)/;

/** Errors without a form field. */
export function unplacedErrors(errors: FieldErrors): string[] {
  return Object.entries(errors)
    .filter(([path]) => !SHOWN.test(path))
    .map(([, message]) => message);
}
