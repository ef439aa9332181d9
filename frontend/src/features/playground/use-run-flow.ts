import { useState } from "react";
import { keys, listsOf } from "@/api/keys";
import { asProblem, type FieldProblem, type Problem } from "@/api/problem";
import { refreshAll } from "@/api/refreshing-mutation";
import { runQuery } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import { requestOf } from "./run-request";
import type { Session } from "./session";

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

/** Starts a run: saves the draft first, then sends the request. */
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
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<RunRefusal | null>(null);
  const isStarting = isSaving || start.isPending;
  const run = async () => {
    const { promptId } = session;
    if (promptId === null || isStarting) {
      return;
    }
    setSaving(true);
    const isSaved = await saveDraft();
    setSaving(false);
    if (!isSaved) {
      return;
    }
    try {
      onStarted(await start.mutateAsync({ body: requestOf({ ...session, promptId }, variables) }));
    } catch (error) {
      setRefusal(runRefusalOf(error));
    }
  };
  return { run, isStarting, refusal, dismiss: () => setRefusal(null) };
}
