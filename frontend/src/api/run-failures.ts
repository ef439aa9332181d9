import { query } from "./queries";

/** Why answers of a run failed or are malformed, by cause. */
export const runFailuresQuery = (slug: string, runId: string) =>
  query("/projects/{project}/runs/{run_id}/failures", { project: slug, run_id: runId });
