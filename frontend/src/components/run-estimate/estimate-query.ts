import { ask } from "@/api/queries";
import type { RunRequest } from "@/api/types";

/** Estimate of a run; stores nothing. Disabled without a request. */
export const estimateQuery = (slug: string, request: RunRequest | null) =>
  ask(
    "/projects/{project}/runs/estimate",
    { project: slug, body: request ?? ({} as RunRequest) },
    { enabled: request !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );
