import { keys, listsOf } from "@/api/keys";
import { usePromptMutation } from "@/api/prompts";
import { ask } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";

export function useDuplicatePrompt(slug: string) {
  return usePromptMutation(slug, (promptId: string) =>
    send("post", "/projects/{project}/prompts/{prompt_id}/duplicate", {
      project: slug,
      prompt_id: promptId,
      body: {},
    }),
  );
}

export function useArchivePrompt(slug: string) {
  return usePromptMutation(slug, ({ id, archive }: { id: string; archive: boolean }) =>
    send("post", `/projects/{project}/prompts/{prompt_id}/${archive ? "archive" : "unarchive"}`, {
      project: slug,
      prompt_id: id,
    }),
  );
}

/** Invalidates only lists: the deleted prompt must not be refetched. */
export function useDeletePrompt(slug: string) {
  return useRefreshingMutation(
    [listsOf(keys.prompts(slug)), keys.audit(slug)],
    (promptId: string) =>
      send("delete", "/projects/{project}/prompts/{prompt_id}", {
        project: slug,
        prompt_id: promptId,
      }),
  );
}

export interface Inputs {
  draftVersion: number;
  inputs: Readonly<Record<string, string>>;
}

export const previewQuery = (slug: string, promptId: string, wanted: Inputs) =>
  ask(
    "/projects/{project}/prompts/{prompt_id}/preview",
    { project: slug, prompt_id: promptId, body: { inputs: wanted.inputs } },
    { turn: wanted.draftVersion, keepPrevious: true },
  );
