import type { QueryClient } from "@tanstack/react-query";
import { APART, query } from "./queries";
import { runQuery } from "./runs";
import type { RunDetail } from "./types";

/** Refreshed only when its grid row reports a change. */
export const outputQuery = (slug: string, outputId: string) =>
  query(
    "/projects/{project}/outputs/{output_id}",
    { project: slug, output_id: outputId },
    { family: APART },
  );

/** Options of a repeated call, which overwrites the cell: puts the returned run into the cache. */
export const rerunOptions = (slug: string) => ({
  refresh: [],
  keep: (queryClient: QueryClient, run: RunDetail, { output_id }: { output_id: string }) => {
    queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
    void queryClient.invalidateQueries(outputQuery(slug, output_id));
  },
});
