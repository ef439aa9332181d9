import { useState } from "react";
import { asProblem, type FieldProblem, type Problem } from "@/api/problem";
import type { RunDetail } from "@/api/types";
import { useStartRun } from "./queries";
import { requestOf } from "./run-request";
import type { Session } from "./session";

/** Why no run was started. */
export type Trouble =
  | { kind: "problems"; problems: readonly FieldProblem[] }
  | { kind: "busy"; runId: string }
  | { kind: "budget" | "other"; problem: Problem };

function runIdOf({ details }: Problem): string | null {
  const told = (details as { run_id?: unknown } | null)?.run_id;
  return typeof told === "string" ? told : null;
}

export function troubleOf(error: unknown): Trouble {
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
  const start = useStartRun(slug);
  const [isSaving, setSaving] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
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
      onStarted(await start.mutateAsync(requestOf({ ...session, promptId }, variables)));
    } catch (error) {
      setTrouble(troubleOf(error));
    }
  };
  return { run, isStarting, trouble, dismiss: () => setTrouble(null) };
}
