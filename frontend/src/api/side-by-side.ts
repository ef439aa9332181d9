import { pages } from "./queries";
import type { CaseOrder, Cell } from "./types";

const PAGE_SIZE = 50;

/** Filter, order and columns of cases shown side by side. */
export interface SideFilter {
  /** Variant positions; variants of other runs are prefixed with the run id and a dot. */
  columns: readonly string[];
  order?: CaseOrder | undefined;
  criterion?: string | undefined;
  status?: Cell["status"] | undefined;
  minScore?: number | undefined;
  maxScore?: number | undefined;
  minDisagreement?: number | undefined;
  tag?: string | undefined;
  difficulty?: number | undefined;
  length?: "XS" | "S" | "M" | "L" | "XL" | undefined;
  isFlagged?: boolean | undefined;
}

export const sideBySideQuery = (
  slug: string,
  runId: string,
  filter: SideFilter,
  limit = PAGE_SIZE,
) =>
  pages(
    "/projects/{project}/runs/{run_id}/cases",
    {
      project: slug,
      run_id: runId,
      query: {
        limit,
        column: [...filter.columns],
        order: filter.order,
        criterion: filter.criterion,
        status: filter.status,
        min_score: filter.minScore,
        max_score: filter.maxScore,
        min_disagreement: filter.minDisagreement,
        tag: filter.tag,
        difficulty: filter.difficulty,
        length: filter.length,
        is_flagged: filter.isFlagged,
      },
    },
    { keepPrevious: true },
  );
