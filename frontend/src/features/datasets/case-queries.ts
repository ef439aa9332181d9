import type { QueryClient } from "@tanstack/react-query";
import type { DatasetAddress } from "@/api/case-imports";
import { keys, listsOf } from "@/api/keys";
import { Problem } from "@/api/problem";
import { APART, pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { BulkAction, Case, CaseChange, CaseRequest, CaseSelection, Page } from "@/api/types";
import { useDatasetMutation } from "./queries";
import { toQuery, type CaseView } from "./view";

export const PAGE_SIZE = 100;

export type { DatasetAddress };

const DATASET = "/projects/{project}/datasets/{dataset_id}";
const pathOf = ({ slug, datasetId }: DatasetAddress) => ({ project: slug, dataset_id: datasetId });

export const casePageQuery = (at: DatasetAddress, view: CaseView, cursor: string | null) =>
  query(`${DATASET}/cases`, {
    ...pathOf(at),
    query: { ...toQuery(view), limit: PAGE_SIZE, cursor: cursor ?? undefined },
  });

export const caseQuery = (at: DatasetAddress, caseId: string) =>
  query(`${DATASET}/cases/{case_id}`, { ...pathOf(at), case_id: caseId });

export const caseVersionsQuery = (at: DatasetAddress, caseId: string) =>
  pages(`${DATASET}/cases/{case_id}/versions`, {
    ...pathOf(at),
    case_id: caseId,
    query: { limit: 20 },
  });

/** The current case, when an update was refused because its version is outdated. */
export function staleCase(error: unknown): Case | null {
  if (!(error instanceof Problem) || error.code !== "STALE") {
    return null;
  }
  return (error.details as { current?: Case } | null)?.current ?? null;
}

/** Puts a saved case into all cached lists. */
export function putCase(queryClient: QueryClient, at: DatasetAddress, saved: Case): void {
  queryClient.setQueriesData<Page<Case>>(
    { queryKey: listsOf([...keys.dataset(at.slug, at.datasetId), "cases"]) },
    (page) =>
      page === undefined
        ? undefined
        : { ...page, items: page.items.map((row) => (row.id === saved.id ? saved : row)) },
  );
  queryClient.setQueryData(caseQuery(at, saved.id).queryKey, saved);
}

export function useChangeCase(at: DatasetAddress) {
  return useRefreshingMutation(
    [],
    ({ caseId, change }: { caseId: string; change: CaseChange }) =>
      send("patch", `${DATASET}/cases/{case_id}`, {
        ...pathOf(at),
        case_id: caseId,
        body: change,
      }),
    {
      // Update the cache first, so that the next cell need not wait for the refetch.
      keep: (queryClient, saved) => {
        putCase(queryClient, at, saved);
        void queryClient.invalidateQueries({ queryKey: keys.dataset(at.slug, at.datasetId) });
      },
    },
  );
}

export function useCreateCase(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (body: CaseRequest) =>
    send("post", `${DATASET}/cases`, { ...pathOf(at), body }),
  );
}

export interface BulkRequest {
  selection: CaseSelection;
  change: BulkAction;
}

export function useChangeCases(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (body: BulkRequest) =>
    send("post", `${DATASET}/cases/bulk`, { ...pathOf(at), body }),
  );
}

export function useUndo(at: DatasetAddress) {
  return useDatasetMutation(at.slug, (changeId: string) =>
    send("post", `${DATASET}/undo`, { ...pathOf(at), body: { change_id: changeId } }),
  );
}

/** Comparing all cases is slow, so changes of cases do not invalidate it. */
export const duplicatesQuery = (at: DatasetAddress) =>
  query(`${DATASET}/duplicates`, pathOf(at), { family: APART, staleTime: 0, gcTime: 0 });

export const coverageQuery = (at: DatasetAddress) => query(`${DATASET}/coverage`, pathOf(at));
