import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys, listsOf } from "@/api/keys";
import { asProblem, type FieldProblem, type Problem } from "@/api/problem";
import { refreshAll } from "@/api/refreshing-mutation";
import { runQuery } from "@/api/runs";
import type { PlaygroundRequest, RunDetail, RunEstimate } from "@/api/types";
import { useChange } from "@/api/use-change";
import { checkQuery, isLarge } from "./run-guard";
import { requestOf } from "./run-request";
import type { Session } from "./session";

/** How long an estimate is not asked for again. Milliseconds. */
const ESTIMATE_HOLDS = 10_000;

/** Why no run was started. */
export type RunRefusal =
  | { kind: "problems"; problems: readonly FieldProblem[] }
  | { kind: "busy"; runId: string }
  | { kind: "budget" | "other"; problem: Problem };

function runIdOf({ details }: Problem): string | null {
  const runId = (details as { run_id?: unknown } | null)?.run_id;
  return typeof runId === "string" ? runId : null;
}

export function runRefusalOf(error: unknown): RunRefusal {
  const problem = asProblem(error);
  const running = problem.status === 409 ? runIdOf(problem) : null;
  if (running !== null) {
    return { kind: "busy", runId: running };
  }
  if (problem.code === "BUDGET_EXCEEDED") {
    return { kind: "budget", problem };
  }
  return problem.fields.length > 0
    ? { kind: "problems", problems: problem.fields }
    : { kind: "other", problem };
}

export interface RunFlowOptions {
  slug: string;
  session: Session;
  /** Variables of the text to run. */
  variables: readonly string[];
  /** Resolves to whether all changes are saved. */
  saveDraft: () => Promise<boolean>;
  onStarted: (run: RunDetail) => void;
}

/** Starts a run: saves the draft first, asks if the run is large, then sends the request. */
export function useRunFlow(options: RunFlowOptions) {
  const { slug, session, variables, saveDraft, onStarted } = options;
  const start = useChange(
    "post",
    "/projects/{project}/playground/runs",
    { project: slug },
    {
      refresh: [],
      // Update the cache first, so that the grid need not wait for the lists.
      keep: (queryClient, started) => {
        queryClient.setQueryData(runQuery(slug, started.id).queryKey, started);
        // The draft may have become a version.
        void refreshAll(queryClient, [listsOf(keys.runs(slug)), keys.prompts(slug)]);
      },
    },
  );
  const queryClient = useQueryClient();
  const [large, setLarge] = useState<RunEstimate | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<RunRefusal | null>(null);
  const isStarting = isSaving || start.isPending;
  const begin = async (body: PlaygroundRequest) => {
    try {
      onStarted(await start.mutateAsync({ body }));
    } catch (error) {
      setRefusal(runRefusalOf(error));
    }
  };
  /** The estimate of a run that is large; null also when there is none, as with problems. */
  const findLarge = async (body: PlaygroundRequest) => {
    try {
      const { estimate } = await queryClient.query({
        ...checkQuery(slug, body),
        staleTime: ESTIMATE_HOLDS,
      });
      return estimate !== null && isLarge(estimate) ? estimate : null;
    } catch {
      return null;
    }
  };
  const run = async () => {
    const { promptId } = session;
    if (promptId === null || isStarting) {
      return;
    }
    setSaving(true);
    const body = requestOf({ ...session, promptId }, variables);
    const isSaved = await saveDraft();
    const found = isSaved ? await findLarge(body) : null;
    setSaving(false);
    setLarge(found);
    if (isSaved && found === null) {
      await begin(body);
    }
  };
  const runLarge = (limit: number | null) => {
    const { promptId } = session;
    setLarge(null);
    if (promptId !== null) {
      void begin(requestOf({ ...session, promptId }, variables, limit));
    }
  };
  return {
    run,
    isStarting,
    refusal,
    dismiss: () => setRefusal(null),
    /** Estimate of a run that waits for confirmation. */
    large,
    runLarge,
    dismissLarge: () => setLarge(null),
  };
}
