import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";

export const outputQuery = (slug: string, outputId: string) =>
  queryOptions({
    queryKey: keys.output(slug, outputId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/outputs/{output_id}", {
          signal,
          params: { path: { project: slug, output_id: outputId } },
        }),
      ),
  });

/** Asks the model again, whatever is in the cache, and overwrites the cell. */
export function useRerunOutput(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (outputId: string) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/outputs/{output_id}/rerun", {
          params: { path: { project: slug, output_id: outputId } },
        }),
      ),
    onSuccess: (run, outputId) => {
      queryClient.setQueryData(keys.run(slug, run.id), run);
      return queryClient.invalidateQueries({ queryKey: keys.output(slug, outputId) });
    },
  });
}
