import { experimentQuery, iterationQuery } from "@/api/experiments";
import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";

export type PlainAction = "pause" | "resume" | "cancel" | "refine" | "close";

export interface IterationPlace {
  slug: string;
  experimentId: string;
  iterationId: string;
}

const ITERATION = "/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}";

/** Puts the returned iteration into the cache and invalidates its experiment and runs. */
export function useActOnIteration({ slug, experimentId, iterationId }: IterationPlace) {
  return useRefreshingMutation(
    [keys.runs(slug)],
    (action: PlainAction) =>
      send("post", `${ITERATION}/${action}`, {
        project: slug,
        experiment_id: experimentId,
        iteration_id: iterationId,
      }),
    {
      keep: (queryClient, iteration) => {
        const { queryKey } = iterationQuery(slug, experimentId, iterationId);
        queryClient.setQueryData(queryKey, iteration);
        void queryClient.invalidateQueries(experimentQuery(slug, experimentId));
        void queryClient.invalidateQueries({ queryKey: keys.suggestions(slug) });
      },
    },
  );
}
