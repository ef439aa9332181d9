import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { AssistRead, AssistRequest, DraftSave } from "@/api/types";
import type { Draft, Step } from "./wizard-step";

export function saveDraft(slug: string, experimentId: string, body: DraftSave) {
  return unwrap(
    api.PUT("/api/v1/projects/{project}/experiments/{experiment_id}/draft", {
      params: { path: { project: slug, experiment_id: experimentId } },
      body,
    }),
  );
}

/** What the steps as they are would take, and everything that is wrong with them. */
export const estimateQuery = (slug: string, experimentId: string, draft: Draft) =>
  queryOptions({
    queryKey: keys.experimentEstimate(slug, { experimentId, draft }),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/estimate", {
          signal,
          params: { path: { project: slug, experiment_id: experimentId } },
          body: { draft },
        }),
      ),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    retry: false,
  });

export function useAssist(slug: string, step: Step) {
  return useMutation({
    mutationFn: async (body: AssistRequest) => {
      const found = await unwrap(
        api.POST("/api/v1/projects/{project}/experiments/assist/{step}", {
          params: { path: { project: slug, step } },
          body,
        }),
      );
      return found as AssistRead;
    },
  });
}
