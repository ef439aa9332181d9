import { queryOptions, skipToken } from "@tanstack/react-query";
import type { DatasetAddress } from "@/api/case-imports";
import { keys } from "@/api/keys";
import type { Progress } from "@/api/project-events";
import { DATASET } from "./queries";

export const IMPORT = `${DATASET}/imports/{import_id}` as const;

/** Download URL of all problems of a file, as CSV. */
export function problemsAddress({ slug, datasetId }: DatasetAddress, importId: string): string {
  const project = encodeURIComponent(slug);
  return `/api/v1/projects/${project}/datasets/${datasetId}/imports/${importId}/problems`;
}

/** Progress of a job, from the project's events. */
export const progressQuery = (slug: string, entityId: string) =>
  queryOptions<Progress>({ queryKey: keys.progress(slug, entityId), queryFn: skipToken });
