import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { LARGEST_PAGE, readAllPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { Generation, GenerationRequest } from "@/api/types";
import type { DatasetAddress } from "./case-queries";
import { useDatasetMutation } from "./queries";

const POLL_EVERY = 2000;

const pathOf = ({ slug, datasetId }: DatasetAddress) => ({ project: slug, dataset_id: datasetId });

export function isUnderWay(state: Generation["state"]): boolean {
  return state === "queued" || state === "running";
}

/** Events tell when it goes on; asking now and then helps where they do not arrive. */
export const generationQuery = (at: DatasetAddress, generationId: string) =>
  queryOptions({
    queryKey: keys.generation(at.slug, generationId, "detail"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}", {
          signal,
          params: { path: { ...pathOf(at), generation_id: generationId } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data.state) ? POLL_EVERY : false,
  });

/** All drafts: there are 500 at most, and choosing among them needs every one. */
export const draftsQuery = (at: DatasetAddress, generationId: string) =>
  queryOptions({
    queryKey: keys.generation(at.slug, generationId, "drafts"),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET(
            "/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}/drafts",
            {
              signal,
              params: {
                path: { ...pathOf(at), generation_id: generationId },
                query: { limit: LARGEST_PAGE, ...cursor },
              },
            },
          ),
        ),
      ),
  });

/** The latest generations, to come back to drafts that nobody has decided on. */
export const generationsQuery = (at: DatasetAddress) =>
  queryOptions({
    queryKey: keys.generationList(at.slug, at.datasetId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/generations", {
          signal,
          params: { path: pathOf(at), query: { limit: 20 } },
        }),
      ),
    select: (page) => page.items,
  });

export function useEstimate(at: DatasetAddress) {
  return useMutation({
    mutationFn: (body: GenerationRequest) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/generations/estimate", {
          params: { path: pathOf(at) },
          body,
        }),
      ),
  });
}

/** A change of a generation, after which everything that shows generations is read again. */
function useGenerationMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.generations(slug)], mutationFn);
}

export function useGenerate(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (body: GenerationRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/generations", {
        params: { path: pathOf(at) },
        body,
      }),
    ),
  );
}

export function useCancelGeneration(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (generationId: string) =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}/cancel",
        { params: { path: { ...pathOf(at), generation_id: generationId } } },
      ),
    ),
  );
}

export function useResumeGeneration(at: DatasetAddress) {
  return useGenerationMutation(at.slug, (generationId: string) =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}/resume",
        { params: { path: { ...pathOf(at), generation_id: generationId } } },
      ),
    ),
  );
}

export function useDiscardGeneration(at: DatasetAddress) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (generationId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}", {
          params: { path: { ...pathOf(at), generation_id: generationId } },
        }),
      ),
    // What was discarded must not be asked for again.
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: keys.generationList(at.slug, at.datasetId) }),
  });
}

export interface Acceptance {
  generationId: string;
  draftIds: readonly string[];
}

export function useAcceptDrafts(at: DatasetAddress) {
  return useDatasetMutation(at.slug, ({ generationId, draftIds }: Acceptance) =>
    unwrap(
      api.POST(
        "/api/v1/projects/{project}/datasets/{dataset_id}/generations/{generation_id}/accept",
        {
          params: { path: { ...pathOf(at), generation_id: generationId } },
          body: { draft_ids: [...draftIds], with_near_duplicates: true },
        },
      ),
    ),
  );
}
