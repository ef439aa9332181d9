import { keys } from "./keys";
import { APART, query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import { runQuery } from "./runs";

/** Refreshed only when its grid row reports a change. */
export const outputQuery = (slug: string, outputId: string) =>
  query(
    "/projects/{project}/outputs/{output_id}",
    { project: slug, output_id: outputId },
    { family: APART },
  );

/** Calls the model again, ignoring the cache, and overwrites the cell. */
export function useRerunOutput(slug: string) {
  return useRefreshingMutation(
    [],
    (outputId: string) =>
      send("post", "/projects/{project}/outputs/{output_id}/rerun", {
        project: slug,
        output_id: outputId,
      }),
    {
      keep: (queryClient, run, outputId) => {
        queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
        void queryClient.invalidateQueries(outputQuery(slug, outputId));
      },
    },
  );
}

export interface ExpectedRequest {
  outputId: string;
  /**
   * Version of the answer that was seen; the server refuses the request if there is a newer one.
   */
  about: number;
  /** Overwrites changes made to the case since the run. */
  isForced: boolean;
}

/** Saves an answer as the expected answer of its case. */
export function useSaveAsExpected(slug: string) {
  return useRefreshingMutation(
    [keys.datasets(slug)],
    ({ outputId, about, isForced }: ExpectedRequest) =>
      send("post", "/projects/{project}/outputs/{output_id}/expected", {
        project: slug,
        output_id: outputId,
        body: { is_parsed: true, is_forced: isForced, about },
      }),
  );
}

export interface RowCaseRequest {
  runId: string;
  position: number;
  datasetId: string;
  /** Output to use as the expected answer; null keeps the row's own. */
  outputId: string | null;
}

/** Adds a row of a run to a dataset as a case. */
export function useAddRowAsCase(slug: string) {
  return useRefreshingMutation(
    [keys.datasets(slug)],
    ({ runId, position, datasetId, outputId }: RowCaseRequest) =>
      send("post", "/projects/{project}/runs/{run_id}/rows/{position}/case", {
        project: slug,
        run_id: runId,
        position,
        body: { dataset_id: datasetId, output_id: outputId },
      }),
  );
}
