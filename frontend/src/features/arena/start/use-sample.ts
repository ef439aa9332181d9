import { commitImport, uploadImport } from "@/api/case-imports";
import { keys } from "@/api/keys";
import { createDataset, dropDataset } from "@/api/new-dataset";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { addSimulatedModels } from "@/api/simulated-models";
import type { Model } from "@/api/types";
import SAMPLE from "./sample-questions.json";
import { EMPTY_START, type StartDraft } from "./start-draft";

export const SAMPLE_SIZE = SAMPLE.length;

export interface SampleOptions {
  slug: string;
  /** Enabled models of the project. */
  models: readonly Model[];
  /** Names of the dataset and of the credential of simulated models. */
  names: { dataset: string; credential: string };
}

/** Returns the id of the new dataset, which is deleted on failure. */
async function addQuestions(slug: string, name: string): Promise<string> {
  const { id } = await createDataset(slug, { name, kind: "manual", holdout_percent: 0 });
  const at = { slug, datasetId: id };
  const lines = SAMPLE.map(({ question, expected, tag, difficulty }) =>
    JSON.stringify({ question, expected, tags: [tag], difficulty }),
  );
  const file = new File([lines.join("\n")], "questions.jsonl");
  try {
    const { id: importId, preview } = await uploadImport(at, file, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    await commitImport(at, importId, {
      mapping: preview?.mapping ?? [],
      on_bad_rows: "stop",
      skip_copies: false,
    });
    return id;
  } catch (error) {
    await dropDataset(slug, id);
    throw error;
  }
}

/** Creates sample questions and, if needed, simulated models: everything for a first board. */
export function useSample({ slug, models, names }: SampleOptions) {
  return useRefreshingMutation(
    [keys.datasets(slug), keys.models(slug), keys.credentials(slug), keys.detail(slug)],
    async (): Promise<StartDraft> => {
      const simulated = models.filter((model) => model.is_simulated);
      const answering =
        simulated.length > 1 ? simulated : await addSimulatedModels(slug, names.credential);
      return {
        ...EMPTY_START,
        datasetId: await addQuestions(slug, names.dataset),
        modelIds: answering.map(({ id }) => id),
        scorers: [
          {
            key: 1,
            versionId: null,
            kind: "word_overlap",
            options: {},
            weight: 1,
            threshold: null,
            isNegated: false,
          },
        ],
      };
    },
  );
}
