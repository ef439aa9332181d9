import { queryOptions } from "@tanstack/react-query";
import { keys, listsOf } from "@/api/keys";
import { allPages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { Generation, GenerationRequest } from "@/api/types";
import type { DatasetAddress } from "./case-queries";
import { useDatasetMutation } from "./queries";

const POLL_EVERY = 2000;
/** Generations change by events of their own, not with the dataset they are for. */
const FAMILY = { family: "generations" };
const GENERATIONS = "/projects/{project}/datasets/{dataset_id}/generations";

const pathOf = ({ slug, datasetId }: DatasetAddress) => ({ project: slug, dataset_id: datasetId });

export function isUnderWay(state: Generation["state"]): boolean {
  return state === "queued" || state === "running";
}

/** Events tell when it goes on; asking now and then helps where they do not arrive. */
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

/** All drafts: there are 500 at most, and choosing among them needs every one. */
export const draftsQuery = (at: DatasetAddress, generationId: string) =>
  allPages(
    `${GENERATIONS}/{generation_id}/drafts`,
    { ...pathOf(at), generation_id: generationId },
    FAMILY,
  );

/** The latest generations, to come back to drafts that nobody has decided on. */
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

/** A change of a generation, after which everything that shows generations is read again. */
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

/** What was discarded must not be asked for again: only the lists are read anew. */
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
