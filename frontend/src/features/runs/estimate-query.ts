import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { RunRequest } from "@/api/types";

/** What a run would take; nothing is stored. */
export const estimateQuery = (slug: string, request: RunRequest | null) =>
  queryOptions({
    queryKey: keys.runEstimate(slug, request ?? {}),
    queryFn:
      request === null
        ? skipToken
        : ({ signal }) =>
            unwrap(
              api.POST("/api/v1/projects/{project}/runs/estimate", {
                signal,
                params: { path: { project: slug } },
                body: request,
              }),
            ),
    retry: false,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
