import { keys } from "@/api/keys";
import { pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { CostClass, ScorerVersionRequest } from "@/api/types";

const PAGE_SIZE = 50;
export const COST_CLASSES = ["free", "local_model", "llm_call"] as const;
const SCORER = "/projects/{project}/scorers/{scorer_id}";

export interface ScorerFilters {
  q?: string | undefined;
  kind?: string | undefined;
  cost?: CostClass | undefined;
  status?: "archived" | "all" | undefined;
}

const at = (slug: string, scorerId: string) => ({ project: slug, scorer_id: scorerId });

export const scorersQuery = (slug: string, { cost, ...filters }: ScorerFilters) =>
  pages(
    "/projects/{project}/scorers",
    { project: slug, query: { ...filters, limit: PAGE_SIZE, cost_class: cost } },
    { keepPrevious: true },
  );

export const scorerQuery = (slug: string, scorerId: string) => query(SCORER, at(slug, scorerId));

export const scorerVersionsQuery = (slug: string, scorerId: string) =>
  pages(`${SCORER}/versions`, { ...at(slug, scorerId), query: { limit: PAGE_SIZE } });

export interface Sides {
  from: string;
  to: string;
}

export const scorerChangesQuery = (slug: string, scorerId: string, sides: Sides) =>
  query(`${SCORER}/diff`, { ...at(slug, scorerId), query: sides }, { staleTime: Infinity });

export interface ScorerChange {
  scorerId: string;
  /** Name and description; null when unchanged. */
  named: { name: string; description: string | null } | null;
  /** Settings; null when unchanged. Changes create a version. */
  settings: ScorerVersionRequest | null;
}

export function useSaveScorer(slug: string) {
  return useRefreshingMutation(
    [keys.scorers(slug), keys.rubrics(slug), keys.audit(slug)],
    async ({ scorerId, named, settings }: ScorerChange) => {
      if (settings !== null) {
        await send("post", `${SCORER}/versions`, { ...at(slug, scorerId), body: settings });
      }
      if (named !== null) {
        await send("patch", SCORER, { ...at(slug, scorerId), body: named });
      }
    },
  );
}
