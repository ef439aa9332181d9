import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { addSimulatedModels } from "@/api/simulated-models";
import type { Model } from "@/api/types";
import EXAMPLE from "./example.json";
import { newColumn, type Column, type Session } from "./session";
import { uploadDataset } from "./upload-dataset";

export interface Started extends Pick<Session, "datasetId" | "graders"> {
  promptId: string;
  columns: Column[];
}

const columnFor = (modelId: string) =>
  newColumn({ modelId, versionId: null, parameters: null, label: null });

export interface ExampleOptions {
  slug: string;
  models: readonly Model[];
  /** Name of the credential of simulated models, which are added if no model is enabled. */
  label: string;
}

async function addPrompt(
  slug: string,
  kind: "generator" | "grader",
  { name, text }: { name: string; text: string },
): Promise<string> {
  const { id } = await send("post", "/projects/{project}/prompts", {
    project: slug,
    body: { name, text, kind, syntax: "double" },
  });
  return id;
}

/** Null if the file could not be read. */
async function addCases(slug: string): Promise<string | null> {
  const lines = EXAMPLE.cases.map((each) => JSON.stringify(each));
  const file = new File([lines.join("\n")], `${EXAMPLE.dataset}.jsonl`);
  const uploaded = await uploadDataset(slug, file, new AbortController().signal);
  return uploaded.kind === "done" ? uploaded.dataset.id : null;
}

/** Creates a prompt, cases, a grader and, if needed, models: the first run ends with a grade. */
export function useExampleStart({ slug, models, label }: ExampleOptions) {
  return useRefreshingMutation(
    [keys.prompts(slug), keys.models(slug), keys.credentials(slug), keys.datasets(slug)],
    async (): Promise<Started> => {
      const usable = models.filter((model) => model.is_enabled);
      const added = usable.length === 0 ? await addSimulatedModels(slug, label) : [];
      const judge = added.at(-1) ?? usable.find((model) => model.is_default) ?? usable[0];
      const graderId = await addPrompt(slug, "grader", EXAMPLE.grader);
      const datasetId = await addCases(slug);
      return {
        promptId: await addPrompt(slug, "generator", EXAMPLE.prompt),
        datasetId,
        graders: { promptId: graderId, modelId: judge?.id ?? null, scorers: [] },
        columns: added.map(({ id }) => columnFor(id)),
      };
    },
  );
}
