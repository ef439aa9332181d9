import { queryOptions } from "@tanstack/react-query";
import { keys, listsOf } from "@/api/keys";
import { allPages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { Generation, GenerationRequest } from "@/api/types";
import type { DatasetAddress } from "./case-queries";
import { useDatasetMutation } from "./queries";

const POLL_EVERY = 2000;
/** Generations have their own events; dataset events do not invalidate them. */
const FAMILY = { family: "generations" };
const GENERATIONS = "/projects/{project}/datasets/{dataset_id}/generations";

const pathOf = ({ slug, datasetId }: DatasetAddress) => ({ project: slug, dataset_id: datasetId });

export function isUnderWay(state: Generation["state"]): boolean {
  return state === "queued" || state === "running";
}

/** Refreshed by events; polled in case events do not arrive. */
export const generationQuery = (at: DatasetAddress, generationId: string) =>
  queryOptions({
    ...query(
      `${GENERATIONS}/{generation_id}`,
      { ...pathOf(at), generation_id: generationId },
      FAMILY,
    ),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data.state) ? POLL_EVERY : false,
  });

/** All drafts: at most 500, and the selection needs every one. */
export const draftsQuery = (at: DatasetAddress, generationId: string) =>
  allPages(
    `${GENERATIONS}/{generation_id}/drafts`,
    { ...pathOf(at), generation_id: generationId },
    FAMILY,
  );

/** Latest generations, to return to undecided drafts. */
export const generationsQuery = (at: DatasetAddress) =>
  queryOptions({
    ...query(GENERATIONS, { ...pathOf(at), query: { limit: 20 } }, FAMILY),
    select: (page) => page.items,
  });

export function useEstimate(at: DatasetAddress) {
  return useRefreshingMutation([], (body: GenerationRequest) =>
    send("post", `${GENERATIONS}/estimate`, { ...pathOf(at), body }),
  );
}

/** Mutation of generations; invalidates all queries that show them. */
function useGenerationMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.generations(slug)], mutationFn);
}

export function useGenerate(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (body: GenerationRequest) =>
    send("post", GENERATIONS, { ...pathOf(at), body }),
  );
}

export function useCancelGeneration(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (generationId: string) =>
    send("post", `${GENERATIONS}/{generation_id}/cancel`, {
      ...pathOf(at),
      generation_id: generationId,
    }),
  );
}

export function useResumeGeneration(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (generationId: string) =>
    send("post", `${GENERATIONS}/{generation_id}/resume`, {
      ...pathOf(at),
      generation_id: generationId,
    }),
  );
}

/** Invalidates only the lists: the discarded generation must not be refetched. */
export function useDiscardGeneration(at: DatasetAddress) {
  const lists = [...keys.generations(at.slug), "datasets", at.datasetId, "generations"];
  return useRefreshingMutation([listsOf(lists)], (generationId: string) =>
    send("delete", `${GENERATIONS}/{generation_id}`, {
      ...pathOf(at),
      generation_id: generationId,
    }),
  );
}

export interface Acceptance {
  generationId: string;
  draftIds: readonly string[];
}

export function useAcceptDrafts(at: DatasetAddress) {
  return useDatasetMutation(at.slug, ({ generationId, draftIds }: Acceptance) =>
    send("post", `${GENERATIONS}/{generation_id}/accept`, {
      ...pathOf(at),
      generation_id: generationId,
      body: { draft_ids: [...draftIds], with_near_duplicates: true },
    }),
  );
}
