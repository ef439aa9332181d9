import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { addSimulatedModels } from "@/api/simulated-models";
import { newColumn, type Column } from "./session";

/** Example for an empty project. */
const EXAMPLE = {
  name: "Support reply",
  text: [
    "You answer the customers of a web shop.",
    "Reply to the message below. Be kind, say what happens next, and stay under 80 words.",
    "",
    "Message:",
    "{{message}}",
  ].join("\n"),
  inputs: {
    message: "My parcel was due last Tuesday and has not arrived. Where is it, and what can I do?",
  },
};

export interface Started {
  promptId: string;
  inputs: Record<string, string>;
  columns: Column[];
}

const columnFor = (modelId: string) =>
  newColumn({ modelId, versionId: null, parameters: null, label: null });

export interface ExampleOptions {
  slug: string;
  /** Whether to add simulated models, because there are none. */
  needsModels: boolean;
  /** Name of their credential. */
  label: string;
}

/** Creates a prompt, an input for it and, if needed, models: everything for a first run. */
export function useExampleStart({ slug, needsModels, label }: ExampleOptions) {
  return useRefreshingMutation(
    [keys.prompts(slug), keys.models(slug), keys.credentials(slug)],
    async (): Promise<Started> => {
      const models = needsModels ? await addSimulatedModels(slug, label) : [];
      const prompt = await send("post", "/projects/{project}/prompts", {
        project: slug,
        body: { name: EXAMPLE.name, text: EXAMPLE.text, kind: "generator", syntax: "double" },
      });
      return {
        promptId: prompt.id,
        inputs: EXAMPLE.inputs,
        columns: models.map(({ id }) => columnFor(id)),
      };
    },
  );
}
