import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import type { PlaygroundRequest, RunDetail } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { GridFilters } from "./session";

const HISTORY_PAGE = 30;
const ORIGIN = "playground";

/** The newest run of the project's playground: what a newcomer sees first. */
export const newestRunQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.runList(slug, { newest: ORIGIN }),
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: { path: { project: slug }, query: { origin: ORIGIN, limit: 1 } },
        }),
      );
      return page.items[0] ?? null;
    },
  });

export const historyQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: keys.runList(slug, { origin: ORIGIN, history: true }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/runs", {
          signal,
          params: {
            path: { project: slug },
            query: definedOnly({
              origin: ORIGIN,
              limit: HISTORY_PAGE,
              cursor: pageParam ?? undefined,
            }),
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const PREVIEW_ROWS = 50;

export const previewCasesQuery = (slug: string, datasetId: string) =>
  queryOptions({
    queryKey: keys.datasetPart(slug, datasetId, "preview"),
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET("/api/v1/projects/{project}/datasets/{dataset_id}/cases", {
          signal,
          params: {
            path: { project: slug, dataset_id: datasetId },
            query: { limit: PREVIEW_ROWS },
          },
        }),
      );
      return page.items;
    },
  });

/** What comes back is the run as it is now; the draft may have become a version. */
export function useStartRun(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: PlaygroundRequest) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/playground/runs", {
          params: { path: { project: slug } },
          body,
        }),
      ),
    onSuccess: (run) => {
      queryClient.setQueryData(keys.run(slug, run.id), run);
      void queryClient.invalidateQueries({ queryKey: [...keys.runs(slug), "list"] });
      void queryClient.invalidateQueries({ queryKey: keys.prompts(slug) });
    },
  });
}

/** What the page tells a run that is under way. */
export function useSteerRun(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, action }: { runId: string; action: "cancel" | "resume" }) => {
      const at = { params: { path: { project: slug, run_id: runId } } };
      return action === "cancel"
        ? unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/cancel", at))
        : unwrap(api.POST("/api/v1/projects/{project}/runs/{run_id}/resume", at));
    },
    onSuccess: (run: RunDetail) => {
      queryClient.setQueryData(keys.run(slug, run.id), run);
      return queryClient.invalidateQueries({ queryKey: [...keys.runs(slug), "list"] });
    },
  });
}

/** Where the answers of a run are handed out as a file, filtered as they are on the page. */
export function exportAddress(
  slug: string,
  runId: string,
  format: "csv" | "json",
  { status, q, minScore, maxScore }: GridFilters,
): string {
  const wanted = definedOnly({ format, status, q, min_score: minScore, max_score: maxScore });
  const query = new URLSearchParams(
    Object.entries(wanted).map(([name, value]) => [name, String(value)]),
  );
  return `/api/v1/projects/${encodeURIComponent(slug)}/runs/${runId}/export?${query.toString()}`;
}
