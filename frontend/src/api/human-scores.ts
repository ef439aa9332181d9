import { query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import type { HumanScoreRequest, OutputScores } from "./types";

const SCORES = "/projects/{project}/outputs/{output_id}/scores";
const FLAG = "/projects/{project}/outputs/{output_id}/flag";

/** What people say about an output. */
export const outputScoresQuery = (slug: string, outputId: string) =>
  query(SCORES, { project: slug, output_id: outputId });

/** What comes back is what everybody says by now; events tell the rest of the page. */
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
  /** Which answer it is about: a newer one has not been seen. */
  about: number;
  answer: 0 | 1;
}

/** A thumb for any of many outputs. */
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

/** Marks an output for others to look at, or takes the mark off. */
export function useFlagOutput(slug: string, outputId: string) {
  return useScoreMutation(
    slug,
    () => outputId,
    (isFlagged: boolean) =>
      send(isFlagged ? "put" : "delete", FLAG, { project: slug, output_id: outputId }),
  );
}
