import type { BundleImport } from "./types";
import { uploadFile, type UploadOptions } from "./upload";

export interface BundleContents {
  kind: "prompt" | "dataset" | "experiment" | "project";
  /** Id of the prompt, dataset or experiment. */
  id?: string;
  /** Adds finished runs with their results. */
  runs?: boolean;
}

/** What to do with names that the project already has. */
export const ON_EXISTING = ["refuse", "skip", "rename"] as const;
export type OnExisting = (typeof ON_EXISTING)[number];

const projectPath = (slug: string) => `/api/v1/projects/${encodeURIComponent(slug)}`;

export function bundleAddress(slug: string, { kind, id, runs }: BundleContents): string {
  const query = new URLSearchParams({ kind });
  if (id !== undefined) {
    query.set("id", id);
  }
  if (runs === true) {
    query.set("runs", "true");
  }
  return `${projectPath(slug)}/export?${query}`;
}

export async function importBundle(
  slug: string,
  file: File,
  existing: OnExisting,
  options: UploadOptions,
): Promise<BundleImport> {
  const path = `${projectPath(slug)}/import?existing=${existing}`;
  return (await uploadFile(path, file, options)) as BundleImport;
}
