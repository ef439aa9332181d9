import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import type { HumanScoreRequest, OutputScores } from "./types";

const at = (slug: string, outputId: string) => ({
  params: { path: { project: slug, output_id: outputId } },
});

/** What people say about an output. */
export const outputScoresQuery = (slug: string, outputId: string) =>
  queryOptions({
    queryKey: keys.outputScores(slug, outputId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/outputs/{output_id}/scores", {
          signal,
          ...at(slug, outputId),
        }),
      ),
  });

/** What comes back is what everybody says by now; events tell the rest of the page. */
function useScoreMutation<V>(
  slug: string,
  outputId: string,
  mutationFn: (variables: V) => Promise<OutputScores>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (scores) => {
      queryClient.setQueryData(keys.outputScores(slug, outputId), scores);
    },
  });
}

export function useGiveScore(slug: string, outputId: string) {
  return useScoreMutation(slug, outputId, (body: HumanScoreRequest) =>
    unwrap(
      api.PUT("/api/v1/projects/{project}/outputs/{output_id}/scores", {
        ...at(slug, outputId),
        body,
      }),
    ),
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
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ outputId, about, answer }: Thumb) =>
      unwrap(
        api.PUT("/api/v1/projects/{project}/outputs/{output_id}/scores", {
          ...at(slug, outputId),
          body: { question: "thumbs", answer, about },
        }),
      ),
    onSuccess: (scores, { outputId }) => {
      queryClient.setQueryData(keys.outputScores(slug, outputId), scores);
    },
  });
}

export function useRemoveScore(slug: string, outputId: string) {
  return useScoreMutation(slug, outputId, () =>
    unwrap(api.DELETE("/api/v1/projects/{project}/outputs/{output_id}/scores", at(slug, outputId))),
  );
}

/** Marks an output for others to look at, or takes the mark off. */
export function useFlagOutput(slug: string, outputId: string) {
  return useScoreMutation(slug, outputId, (isFlagged: boolean) =>
    unwrap(
      isFlagged
        ? api.PUT("/api/v1/projects/{project}/outputs/{output_id}/flag", at(slug, outputId))
        : api.DELETE("/api/v1/projects/{project}/outputs/{output_id}/flag", at(slug, outputId)),
    ),
  );
}
