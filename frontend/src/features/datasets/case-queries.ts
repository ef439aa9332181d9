import type { QueryClient } from "@tanstack/react-query";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { keys, listsOf } from "@/api/keys";
import { Problem } from "@/api/problem";
import { APART, pages, query } from "@/api/queries";
import type { Case, Page } from "@/api/types";
import { DATASET } from "./queries";
import { toQuery, type CaseView } from "./view";

export const PAGE_SIZE = 100;

export const casePageQuery = (at: DatasetAddress, view: CaseView, cursor: string | null) =>
  query(`${DATASET}/cases`, {
    ...datasetPath(at),
    query: { ...toQuery(view), limit: PAGE_SIZE, cursor: cursor ?? undefined },
  });

export const caseQuery = (at: DatasetAddress, caseId: string) =>
  query(`${DATASET}/cases/{case_id}`, { ...datasetPath(at), case_id: caseId });

export const caseVersionsQuery = (at: DatasetAddress, caseId: string) =>
  pages(`${DATASET}/cases/{case_id}/versions`, {
    ...datasetPath(at),
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
export function updateCachedCase(queryClient: QueryClient, at: DatasetAddress, saved: Case): void {
  queryClient.setQueriesData<Page<Case>>(
    { queryKey: listsOf([...keys.dataset(at.slug, at.datasetId), "cases"]) },
    (page) =>
      page === undefined
        ? undefined
        : { ...page, items: page.items.map((row) => (row.id === saved.id ? saved : row)) },
  );
  queryClient.setQueryData(caseQuery(at, saved.id).queryKey, saved);
}

/** Comparing all cases is slow, so changes of cases do not invalidate it. */
export const duplicatesQuery = (at: DatasetAddress) =>
  query(`${DATASET}/duplicates`, datasetPath(at), { family: APART, staleTime: 0, gcTime: 0 });

export const coverageQuery = (at: DatasetAddress) => query(`${DATASET}/coverage`, datasetPath(at));
