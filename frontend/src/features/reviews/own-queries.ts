import { keys } from "@/api/keys";
import { ask } from "@/api/queries";
import type { EditableParts } from "@/api/types";

export interface IterationPlace {
  slug: string;
  experimentId: string;
  iterationId: string;
}

export const ITERATION =
  "/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}";

export const pathOf = ({ slug, experimentId, iterationId }: IterationPlace) => ({
  project: slug,
  experiment_id: experimentId,
  iteration_id: iterationId,
});

export const ownCheckQuery = (place: IterationPlace, parts: EditableParts) =>
  ask(
    `${ITERATION}/suggestions/check`,
    { ...pathOf(place), body: parts },
    { staleTime: Infinity, gcTime: 60_000, keepPrevious: true },
  );

/** Families that show suggestions of an iteration, besides its experiment. */
export const ownOptions = (slug: string) => ({ also: [keys.suggestions(slug)] });
