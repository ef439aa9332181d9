import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import type { DatasetAddress } from "@/api/case-imports";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { Problem } from "@/api/problem";
import type { BulkAction, Case, CaseChange, CaseRequest, CaseSelection, Page } from "@/api/types";
import { useDatasetMutation } from "./queries";
import { toQuery, type CaseView } from "./view";

export const PAGE_SIZE = 100;

export type { DatasetAddress };

const pathOf = ({ slug, datasetId }: DatasetAddress) => ({ project: slug, dataset_id: datasetId });

export const casePageQuery = (at: DatasetAddress, view: CaseView, cursor: string | null) =>
  queryOptions({
    queryKey: keys.datasetPart(at.slug, at.datasetId, "cases", { ...toQuery(view), cursor }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/cases", {
          signal,
          params: {
            path: pathOf(at),
            query: {
              ...toQuery(view),
              limit: PAGE_SIZE,
              ...(cursor === null ? {} : { cursor }),
            },
          },
        }),
      ),
  });

export const caseQuery = (at: DatasetAddress, caseId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(at.slug, at.datasetId, "case", { caseId }),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/cases/{case_id}", {
          signal,
          params: { path: { ...pathOf(at), case_id: caseId } },
        }),
      ),
  });

export const caseVersionsQuery = (at: DatasetAddress, caseId: string) =>
  infiniteQueryOptions({
    queryKey: keys.datasetPart(at.slug, at.datasetId, "versions", { caseId }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/cases/{case_id}/versions", {
          signal,
          params: {
            path: { ...pathOf(at), case_id: caseId },
            query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

/** The case as it is now, when a change was meant for an older version of it. */
export function staleCase(error: unknown): Case | null {
  if (!(error instanceof Problem) || error.code !== "STALE") {
    return null;
  }
  return (error.details as { current?: Case } | null)?.current ?? null;
}

/** Shows a saved case at once, wherever it is on the screen. */
export function putCase(queryClient: QueryClient, at: DatasetAddress, saved: Case): void {
  queryClient.setQueriesData<Page<Case>>(
    { queryKey: keys.datasetPart(at.slug, at.datasetId, "cases") },
    (page) =>
      page === undefined
        ? undefined
        : { ...page, items: page.items.map((row) => (row.id === saved.id ? saved : row)) },
  );
  queryClient.setQueryData(caseQuery(at, saved.id).queryKey, saved);
}

export function useChangeCase(at: DatasetAddress) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ caseId, change }: { caseId: string; change: CaseChange }) =>
      unwrap(
        api.PATCH("/api/v1/projects/{project}/datasets/{dataset_id}/cases/{case_id}", {
          params: { path: { ...pathOf(at), case_id: caseId } },
          body: change,
        }),
      ),
    onSuccess: (saved) => {
      putCase(queryClient, at, saved);
      void queryClient.invalidateQueries({ queryKey: keys.dataset(at.slug, at.datasetId) });
    },
  });
}

export function useCreateCase(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (body: CaseRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/cases", {
        params: { path: pathOf(at) },
        body,
      }),
    ),
  );
}

export interface BulkRequest {
  selection: CaseSelection;
  change: BulkAction;
}

export function useChangeCases(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (body: BulkRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/cases/bulk", {
        params: { path: pathOf(at) },
        body,
      }),
    ),
  );
}

export function useUndo(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (changeId: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/datasets/{dataset_id}/undo", {
        params: { path: pathOf(at) },
        body: { change_id: changeId },
      }),
    ),
  );
}

/** Comparing all cases takes a while, so it is not done again whenever one changes. */
export const duplicatesQuery = (at: DatasetAddress) =>
  queryOptions({
    queryKey: keys.duplicates(at.slug, at.datasetId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/duplicates", {
          signal,
          params: { path: pathOf(at) },
        }),
      ),
    staleTime: 0,
    gcTime: 0,
  });

export const coverageQuery = (at: DatasetAddress) =>
  queryOptions({
    queryKey: keys.datasetPart(at.slug, at.datasetId, "coverage"),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/coverage", {
          signal,
          params: { path: pathOf(at) },
        }),
      ),
  });
