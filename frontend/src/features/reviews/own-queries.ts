import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";

export interface IterationPlace {
  slug: string;
  experimentId: string;
  iterationId: string;
}

const at = ({ slug, experimentId, iterationId }: IterationPlace) => ({
  params: { path: { project: slug, experiment_id: experimentId, iteration_id: iterationId } },
});

export const ownCheckQuery = (place: IterationPlace, text: string) =>
  queryOptions({
    queryKey: keys.suggestionCheck(place.slug, { iterationId: place.iterationId, text }),
    queryFn: ({ signal }) =>
      unwrap(
        api.POST(
          "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}/suggestions/check",
          { signal, ...at(place), body: { text } },
        ),
      ),
    staleTime: Infinity,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

const families = (slug: string) => [
  keys.suggestions(slug),
  keys.experiments(slug),
  keys.audit(slug),
];

export function useProposeOwn(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), (body: { text: string; note: string }) =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}/suggestions",
        { ...at(place), body },
      ),
    ),
  );
}

export function useRefineAgain(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), () =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}/refine",
        at(place),
      ),
    ),
  );
}

/** Goes on without a change. */
export function useCloseIteration(place: IterationPlace) {
  return useRefreshingMutation(families(place.slug), () =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}/close",
        at(place),
      ),
    ),
  );
}
