import { keys } from "@/api/keys";
import { ask } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";

export interface IterationPlace {
  slug: string;
  experimentId: string;
  iterationId: string;
}

const ITERATION = "/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}";

const at = ({ slug, experimentId, iterationId }: IterationPlace) => ({
  project: slug,
  experiment_id: experimentId,
  iteration_id: iterationId,
});

export const ownCheckQuery = (place: IterationPlace, text: string) =>
  ask(
    `${ITERATION}/suggestions/check`,
    { ...at(place), body: { text } },
    { staleTime: Infinity, gcTime: 60_000, keepPrevious: true },
  );

const families = (slug: string) => [
  keys.suggestions(slug),
  keys.experiments(slug),
  keys.audit(slug),
];

export function useProposeOwn(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), (body: { text: string; note: string }) =>
    send("post", `${ITERATION}/suggestions`, { ...at(place), body }),
  );
}

export function useRefineAgain(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), () =>
    send("post", `${ITERATION}/refine`, at(place)),
  );
}

/** Closes the iteration without a change. */
export function useCloseIteration(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), () =>
    send("post", `${ITERATION}/close`, at(place)),
  );
}
