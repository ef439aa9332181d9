import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { useRefreshingMutation } from "./refreshing-mutation";

export const outputQuery = (slug: string, outputId: string) =>
  queryOptions({
    queryKey: keys.output(slug, outputId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/outputs/{output_id}", {
          signal,
          params: { path: { project: slug, output_id: outputId } },
        }),
      ),
  });

/** Asks the model again, whatever is in the cache, and overwrites the cell. */
export function useRerunOutput(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (outputId: string) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/outputs/{output_id}/rerun", {
          params: { path: { project: slug, output_id: outputId } },
        }),
      ),
    onSuccess: (run, outputId) => {
      queryClient.setQueryData(keys.run(slug, run.id), run);
      return queryClient.invalidateQueries({ queryKey: keys.output(slug, outputId) });
    },
  });
}

export interface ExpectedRequest {
  outputId: string;
  /** Which answer was seen: a newer one is refused. */
  about: number;
  /** Overwrites what somebody changed since the run. */
  isForced: boolean;
}

/** Makes an answer what its case expects from now on. */
export function useSaveAsExpected(slug: string) {
  return useRefreshingMutation(
    [keys.datasets(slug)],
    ({ outputId, about, isForced }: ExpectedRequest) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/outputs/{output_id}/expected", {
          params: { path: { project: slug, output_id: outputId } },
          body: { is_parsed: true, is_forced: isForced, about },
        }),
      ),
  );
}

export interface RowCaseRequest {
  runId: string;
  position: number;
  datasetId: string;
  /** Whose answer is expected; null leaves the row's own. */
  outputId: string | null;
}

/** Makes a row of a run a case of a dataset. */
export function useAddRowAsCase(slug: string) {
  return useRefreshingMutation(
    [keys.datasets(slug)],
    ({ runId, position, datasetId, outputId }: RowCaseRequest) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/runs/{run_id}/rows/{position}/case", {
          params: { path: { project: slug, run_id: runId, position } },
          body: { dataset_id: datasetId, output_id: outputId },
        }),
      ),
  );
}
