import { queryOptions } from "@tanstack/react-query";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { keys, listsOf } from "@/api/keys";
import { allPages, query } from "@/api/queries";
import type { Generation } from "@/api/types";

const POLL_EVERY = 2000;
/** Generations have their own events; dataset events do not invalidate them. */
const FAMILY = { family: "generations" };
export const GENERATIONS = "/projects/{project}/datasets/{dataset_id}/generations";

export function isInProgress(state: Generation["state"]): boolean {
  return state === "queued" || state === "running";
}

/** Refreshed by events; polled in case events do not arrive. */
export const generationQuery = (at: DatasetAddress, generationId: string) =>
  queryOptions({
    ...query(
      `${GENERATIONS}/{generation_id}`,
      { ...datasetPath(at), generation_id: generationId },
      FAMILY,
    ),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isInProgress(state.data.state) ? POLL_EVERY : false,
  });

/** All drafts: at most 500, and the selection needs every one. */
export const draftsQuery = (at: DatasetAddress, generationId: string) =>
  allPages(
    `${GENERATIONS}/{generation_id}/drafts`,
    { ...datasetPath(at), generation_id: generationId },
    FAMILY,
  );

/** Latest generations, to return to undecided drafts. */
export const generationsQuery = (at: DatasetAddress) =>
  queryOptions({
    ...query(GENERATIONS, { ...datasetPath(at), query: { limit: 20 } }, FAMILY),
    select: (page) => page.items,
  });

/** Lists only: a discarded generation must not be refetched. */
export const generationLists = ({ slug, datasetId }: DatasetAddress) =>
  listsOf([...keys.generations(slug), "datasets", datasetId, "generations"]);
