import { query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import type { HumanScoreRequest, OutputScores } from "./types";

const SCORES = "/projects/{project}/outputs/{output_id}/scores";
const FLAG = "/projects/{project}/outputs/{output_id}/flag";

/** Human scores of an output. */
export const outputScoresQuery = (slug: string, outputId: string) =>
  query(SCORES, { project: slug, output_id: outputId });

/** Puts the returned human scores into the cache; other queries are refreshed by events. */
function useScoreMutation<V>(
  slug: string,
  outputIdOf: (variables: V) => string,
  mutationFn: (variables: V) => Promise<OutputScores>,
) {
  return useRefreshingMutation([], mutationFn, {
    keep: (queryClient, scores, variables) => {
      queryClient.setQueryData(outputScoresQuery(slug, outputIdOf(variables)).queryKey, scores);
    },
  });
}

export function useGiveScore(slug: string, outputId: string) {
  return useScoreMutation(
    slug,
    () => outputId,
    (body: HumanScoreRequest) => send("put", SCORES, { project: slug, output_id: outputId, body }),
  );
}

export interface Thumb {
  outputId: string;
  /** Version of the answer being scored; the server refuses the score if there is a newer one. */
  about: number;
  answer: 0 | 1;
}

/** Gives a thumbs up or down to any of many outputs. */
export function useGiveThumb(slug: string) {
  return useScoreMutation(
    slug,
    ({ outputId }) => outputId,
    ({ outputId, about, answer }: Thumb) =>
      send("put", SCORES, {
        project: slug,
        output_id: outputId,
        body: { question: "thumbs", answer, about },
      }),
  );
}

export function useRemoveScore(slug: string, outputId: string) {
  return useScoreMutation(
    slug,
    () => outputId,
    () => send("delete", SCORES, { project: slug, output_id: outputId }),
  );
}

/** Flags an output for others to look at, or removes the flag. */
export function useFlagOutput(slug: string, outputId: string) {
  return useScoreMutation(
    slug,
    () => outputId,
    (isFlagged: boolean) =>
      send(isFlagged ? "put" : "delete", FLAG, { project: slug, output_id: outputId }),
  );
}
