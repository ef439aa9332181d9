import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { LARGEST_PAGE } from "@/api/pages";
import { ask, pages, query } from "@/api/queries";
import type { VotingStep } from "@/api/arena";

const PAGE_SIZE = 50;
/** Well below the ten minutes after which a claim expires. Milliseconds. */
const RENEW_EVERY = 4 * 60_000;
export const ROUNDS = "/projects/{project}/voting-rounds";
export const ROUND = `${ROUNDS}/{round_id}` as const;
export const MATCH = `${ROUND}/matches/{match_id}` as const;

export interface RoundFilters {
  q?: string | undefined;
}

export const roundsQuery = (slug: string, filters: RoundFilters) =>
  pages(ROUNDS, { project: slug, query: { ...filters, limit: PAGE_SIZE } }, { keepPrevious: true });

export const roundQuery = (slug: string, roundId: string) =>
  query(ROUND, { project: slug, round_id: roundId });

export const resultsQuery = (slug: string, roundId: string) =>
  query(`${ROUND}/results`, { project: slug, round_id: roundId }, { retry: false });

/** The user's claimed pair. Refetching renews the claim. */
export const stepQuery = (slug: string, roundId: string) =>
  queryOptions({
    ...ask(
      `${ROUND}/next`,
      { project: slug, round_id: roundId },
      { staleTime: Infinity, gcTime: 0, retry: false },
    ),
    refetchInterval: ({ state }) => (state.data?.match == null ? false : RENEW_EVERY),
  });

/** Options of votes, skips and undos: every response contains the next pair. */
export const stepOptions = (slug: string, roundId: string) => ({
  refresh: [],
  keep: (queryClient: QueryClient, step: VotingStep) => {
    queryClient.setQueryData(stepQuery(slug, roundId).queryKey, step);
    queryClient.setQueryData(roundQuery(slug, roundId).queryKey, step.round);
  },
});

/** Completed runs of several models, to vote on. */
export const votableRunsQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", {
      project: slug,
      query: { state: "completed", limit: LARGEST_PAGE },
    }),
    select: ({ items }) => items.filter((run) => run.variant_count > 1),
  });
