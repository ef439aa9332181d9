import { keys } from "./keys";
import { APART, query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import { runQuery } from "./runs";

/** Rows say when an output has changed: it is refreshed with its row only. */
export const outputQuery = (slug: string, outputId: string) =>
  query(
    "/projects/{project}/outputs/{output_id}",
    { project: slug, output_id: outputId },
    { family: APART },
  );

/** Asks the model again, whatever is in the cache, and overwrites the cell. */
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
  /** Whose answer is expected; null leaves the row's own. */
  outputId: string | null;
}

/** Makes a row of a run a case of a dataset. */
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
