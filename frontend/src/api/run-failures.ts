import { query } from "./queries";
import type { components } from "./schema.gen";

export type FailureCause = components["schemas"]["FailureCause"];

/** Why answers of a run failed or are malformed, by cause. */
export const runFailuresQuery = (slug: string, runId: string) =>
  query("/projects/{project}/runs/{run_id}/failures", { project: slug, run_id: runId });
