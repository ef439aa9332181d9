import { ask } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { AssistRead, AssistRequest, DraftSave } from "@/api/types";
import type { Draft, Step } from "./wizard-step";

export function saveDraft(slug: string, experimentId: string, body: DraftSave) {
  return send("put", "/projects/{project}/experiments/{experiment_id}/draft", {
    project: slug,
    experiment_id: experimentId,
    body,
  });
}

/** Estimate of the draft, with all its problems. */
export const estimateQuery = (slug: string, experimentId: string, draft: Draft) =>
  ask(
    "/projects/{project}/experiments/{experiment_id}/estimate",
    { project: slug, experiment_id: experimentId, body: { draft } },
    { gcTime: 60_000, retry: false, keepPrevious: true },
  );

export function useAssist(slug: string, step: Step) {
  return useRefreshingMutation(
    [],
    async (body: AssistRequest) =>
      (await send("post", "/projects/{project}/experiments/assist/{step}", {
        project: slug,
        step,
        body,
      })) as AssistRead,
  );
}
