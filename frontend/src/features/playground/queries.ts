import { queryOptions } from "@tanstack/react-query";
import { caseChoicesQuery } from "@/api/case-choices";
import { keys, listsOf } from "@/api/keys";
import { pages, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { runQuery } from "@/api/runs";
import type { PlaygroundRequest } from "@/api/types";
import { definedOnly } from "@/lib/search";
import type { GridFilters } from "./session";

const HISTORY_PAGE = 30;
const ORIGIN = "playground";

/** The newest run of the project's playground: what a newcomer sees first. */
export const newestRunQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/runs", { project: slug, query: { origin: ORIGIN, limit: 1 } }),
    select: (page) => page.items[0] ?? null,
  });

export const historyQuery = (slug: string) =>
  pages("/projects/{project}/runs", {
    project: slug,
    query: { origin: ORIGIN, limit: HISTORY_PAGE },
  });

export const PREVIEW_ROWS = 50;

export const previewCasesQuery = (slug: string, datasetId: string) =>
  caseChoicesQuery(slug, datasetId, PREVIEW_ROWS);

/** What comes back is the run as it is now; the draft may have become a version. */
export function useStartRun(slug: string) {
  return useRefreshingMutation(
    [],
    (body: PlaygroundRequest) =>
      send("post", "/projects/{project}/playground/runs", { project: slug, body }),
    {
      // The grid need not wait until the lists are read again.
      keep: (queryClient, run) => {
        queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
        void queryClient.invalidateQueries({ queryKey: listsOf(keys.runs(slug)) });
        void queryClient.invalidateQueries({ queryKey: keys.prompts(slug) });
      },
    },
  );
}

/** What the page tells a run that is under way. */
export function useSteerRun(slug: string) {
  return useRefreshingMutation(
    [listsOf(keys.runs(slug))],
    ({ runId, action }: { runId: string; action: "cancel" | "resume" }) =>
      send("post", `/projects/{project}/runs/{run_id}/${action}`, {
        project: slug,
        run_id: runId,
      }),
    {
      keep: (queryClient, run) => {
        queryClient.setQueryData(runQuery(slug, run.id).queryKey, run);
      },
    },
  );
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
