import type { QueryClient } from "@tanstack/react-query";
import { query } from "@/api/queries";
import type { Case, RunRow, RunRowPage } from "@/api/types";
import { MatchingRows, type ReadRows, type RowPages } from "@/components/grid/row-pages";
import type { RowStore } from "@/components/grid/row-store";

/** Cases of the next run. */
export interface CaseSource {
  datasetId: string | null;
  inputs: Readonly<Record<string, string>> | null;
  /** Expected answer of the row entered by hand; empty for none. */
  expected: string;
}

function toRow(position: number, inputs: RunRow["inputs"], over: Partial<RunRow> = {}): RunRow {
  return {
    position,
    case_id: null,
    split: null,
    difficulty: null,
    tags: [],
    inputs,
    expected: null,
    assertions: null,
    cells: [],
    ...over,
  };
}

function ofCase(position: number, each: Case): RunRow {
  const { id, inputs, expected, tags, split, difficulty } = each;
  return toRow(position, inputs, { case_id: id, expected, tags, split, difficulty });
}

/** Pages are read in order: the cursor of the next one is kept. */
function readCases(queryClient: QueryClient, slug: string, datasetId: string): ReadRows {
  const cursors = new Map<number, string>();
  return async (after, limit): Promise<RunRowPage> => {
    const cursor = cursors.get(after);
    const page = await queryClient.query({
      ...query("/projects/{project}/datasets/{dataset_id}/cases", {
        project: slug,
        dataset_id: datasetId,
        query: { limit, cursor },
      }),
      staleTime: 0,
    });
    const last = after + page.items.length;
    if (page.next != null) {
      cursors.set(last, page.next);
    }
    return {
      items: page.items.map((each, index) => ofCase(after + 1 + index, each)),
      next: page.next == null ? null : last,
      total: page.total ?? last + 1,
    };
  };
}

/** Rows of the next run, before any run. */
export function idleRows(
  queryClient: QueryClient,
  slug: string,
  source: CaseSource,
  store: RowStore,
): RowPages {
  const { datasetId, inputs, expected } = source;
  if (datasetId === null) {
    const page = {
      items: [toRow(0, inputs ?? {}, { expected: expected || null })],
      next: null,
      total: 1,
    };
    return new MatchingRows(store, () => Promise.resolve(page), 1);
  }
  return new MatchingRows(store, readCases(queryClient, slug, datasetId), null);
}
