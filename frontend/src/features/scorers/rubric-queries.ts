import { keys } from "@/api/keys";
import { ask, pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { CriterionBody, RubricSaved } from "@/api/types";
import type { ScorerFilters, Sides } from "./queries";

const PAGE_SIZE = 50;
const RUBRIC = "/projects/{project}/rubrics/{rubric_id}";

export type RubricFilters = Pick<ScorerFilters, "q" | "status">;

const at = (slug: string, rubricId: string) => ({ project: slug, rubric_id: rubricId });

export const rubricsQuery = (slug: string, { q, status }: RubricFilters) =>
  pages(
    "/projects/{project}/rubrics",
    { project: slug, query: { limit: PAGE_SIZE, q, status } },
    { keepPrevious: true },
  );

export const rubricVersionsQuery = (slug: string, rubricId: string) =>
  pages(`${RUBRIC}/versions`, { ...at(slug, rubricId), query: { limit: PAGE_SIZE } });

export const rubricChangesQuery = (slug: string, rubricId: string, sides: Sides) =>
  query(`${RUBRIC}/diff`, { ...at(slug, rubricId), query: sides }, { staleTime: Infinity });

export const rubricPreviewQuery = (slug: string, criteria: readonly CriterionBody[]) =>
  ask(
    "/projects/{project}/rubrics/preview",
    { project: slug, body: { criteria: [...criteria], goal: "" } },
    { staleTime: Infinity, gcTime: 60_000, retry: false },
  );

export interface RubricChange {
  rubricId: string;
  /** Name and description; null when unchanged. */
  named: { name: string; description: string | null } | null;
  /** Criteria; null when unchanged. Changes create a version. */
  content: { criteria: CriterionBody[]; based_on: number } | null;
}

/** Saves a rubric; resolves to notices about it. */
export function useSaveRubric(slug: string) {
  return useRefreshingMutation(
    [keys.rubrics(slug), keys.scorers(slug), keys.audit(slug)],
    async ({ rubricId, named, content }: RubricChange): Promise<RubricSaved["notices"]> => {
      const saved =
        content === null
          ? null
          : await send("post", `${RUBRIC}/versions`, { ...at(slug, rubricId), body: content });
      if (named !== null) {
        await send("patch", RUBRIC, { ...at(slug, rubricId), body: named });
      }
      return saved?.notices ?? [];
    },
  );
}
