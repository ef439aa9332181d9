import type { UseQueryResult } from "@tanstack/react-query";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { RunEstimate } from "@/api/types";
import { Skeleton } from "@/components/ui/skeleton";
import { Assumptions } from "./estimate";

/** Why a request is refused: all messages of the server about its fields. */
export function requestProblem(error: unknown): string {
  const messages = asProblem(error).fields.map(({ message }) => message);
  return messages.length === 0 ? problemMessage(error) : [...new Set(messages)].join(" ");
}

export interface EstimateViewProps {
  estimate: Pick<UseQueryResult<RunEstimate>, "isError" | "error" | "data" | "isPlaceholderData">;
  /** Shown instead of the estimate while the request is incomplete. */
  missing: string | null;
}

/** An estimate while it loads, fails, changes, and as it is. */
export function EstimateView({ estimate, missing }: EstimateViewProps) {
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
      className={estimate.isPlaceholderData ? "opacity-60" : undefined}
    >
      <Assumptions estimate={estimate.data} />
    </div>
  );
}
