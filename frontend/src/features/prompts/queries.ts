import { ask } from "@/api/queries";
import type { JsonValue } from "@/lib/template";

export interface Inputs {
  draftVersion: number;
  inputs: Readonly<Record<string, JsonValue>>;
}

export const previewQuery = (slug: string, promptId: string, wanted: Inputs) =>
  ask(
    "/projects/{project}/prompts/{prompt_id}/preview",
    { project: slug, prompt_id: promptId, body: { inputs: wanted.inputs } },
    { turn: wanted.draftVersion, keepPrevious: true },
  );
