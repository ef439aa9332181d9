import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Skeleton } from "@/components/ui/skeleton";

/** Why a request is refused: all messages of the server about its fields. */
export function requestProblem(error: unknown): string {
  const messages = asProblem(error).fields.map(({ message }) => message);
  return messages.length === 0 ? problemMessage(error) : [...new Set(messages)].join(" ");
}

export interface EstimateStateProps<Estimate> {
  estimate: Pick<UseQueryResult<Estimate>, "isError" | "error" | "data" | "isPlaceholderData">;
  /** Shown instead of the estimate while too little is chosen. */
  missing: string | null;
  children: (estimate: Estimate) => ReactNode;
}

/** An estimate while it loads, fails, changes, and as it is. */
export function EstimateState<Estimate>(props: EstimateStateProps<Estimate>) {
  const { estimate, missing, children } = props;
  if (missing !== null) {
    return <p className="text-sm text-ink-muted">{missing}</p>;
  }
  if (estimate.isError) {
    return <p className="text-sm text-ink-muted">{requestProblem(estimate.error)}</p>;
  }
  if (estimate.data === undefined) {
    return (
      <div className="grid gap-2">
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-5/6" />
      </div>
    );
  }
  return (
    <div
      aria-busy={estimate.isPlaceholderData}
      className={estimate.isPlaceholderData ? "grid gap-4 opacity-60" : "grid gap-4"}
    >
      {children(estimate.data)}
    </div>
  );
}
