import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Iteration } from "@/api/types";

export type PlainAction = "pause" | "resume" | "cancel" | "refine" | "close";

export interface IterationPlace {
  slug: string;
  experimentId: string;
  iterationId: string;
}

const at = ({ slug, experimentId, iterationId }: IterationPlace) => ({
  params: { path: { project: slug, experiment_id: experimentId, iteration_id: iterationId } },
});

const PATH = "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}";

const ACTIONS: Record<PlainAction, (place: IterationPlace) => Promise<Iteration>> = {
  pause: (place) => unwrap(api.POST(`${PATH}/pause`, at(place))),
  resume: (place) => unwrap(api.POST(`${PATH}/resume`, at(place))),
  cancel: (place) => unwrap(api.POST(`${PATH}/cancel`, at(place))),
  refine: (place) => unwrap(api.POST(`${PATH}/refine`, at(place))),
  close: (place) => unwrap(api.POST(`${PATH}/close`, at(place))),
};

/** What comes back is the iteration as it is now; its experiment and runs are read again. */
export function useActOnIteration(place: IterationPlace) {
  const { slug, experimentId, iterationId } = place;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (action: PlainAction) => ACTIONS[action](place),
    onSuccess: (iteration) => {
      queryClient.setQueryData(keys.iteration(slug, experimentId, iterationId), iteration);
      void queryClient.invalidateQueries({
        queryKey: keys.experimentPart(slug, experimentId, "detail"),
      });
      void queryClient.invalidateQueries({ queryKey: keys.suggestions(slug) });
      return queryClient.invalidateQueries({ queryKey: keys.runs(slug) });
    },
  });
}
