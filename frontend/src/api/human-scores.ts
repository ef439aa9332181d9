import type { QueryClient } from "@tanstack/react-query";
import { query } from "./queries";
import type { OutputScores } from "./types";

export const SCORES = "/projects/{project}/outputs/{output_id}/scores";

/** Human scores of an output. */
export const outputScoresQuery = (slug: string, outputId: string) =>
  query(SCORES, { project: slug, output_id: outputId });

/**
 * Options of changes that return the human scores of an output: puts them into the cache. Other
 * queries are refreshed by events.
 */
export const scoreOptions = (slug: string) => ({
  refresh: [],
  keep: (queryClient: QueryClient, scores: OutputScores, { output_id }: { output_id: string }) =>
    queryClient.setQueryData(outputScoresQuery(slug, output_id).queryKey, scores),
});
