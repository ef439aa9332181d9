import { queryOptions } from "@tanstack/react-query";
import { query } from "./queries";
import type { IterationState } from "./types";

/** Events report phase changes of an iteration; progress within a phase is polled. */
const POLL_EVERY = 2000;
const ACTIVE_STATES: readonly IterationState[] = [
  "pending",
  "executing",
  "judging",
  "aggregating",
  "refining",
  "trying",
];

export const experimentQuery = (slug: string, experimentId: string) =>
  query("/projects/{project}/experiments/{experiment_id}", {
    project: slug,
    experiment_id: experimentId,
  });

export const iterationQuery = (slug: string, experimentId: string, iterationId: string) =>
  queryOptions({
    ...query("/projects/{project}/experiments/{experiment_id}/iterations/{iteration_id}", {
      project: slug,
      experiment_id: experimentId,
      iteration_id: iterationId,
    }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && ACTIVE_STATES.includes(state.data.state) ? POLL_EVERY : false,
  });
