export interface BundleContents {
  kind: "prompt" | "dataset" | "experiment" | "project";
  /** Id of the prompt, dataset or experiment. */
  id?: string;
  /** Adds finished runs with their results. */
  runs?: boolean;
}

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

/** A prompt in a form that people or other programs read. */
export const PROMPT_FILES = ["promptfoo", "edison", "md", "txt", "json"] as const;

export function promptFileAddress(
  slug: string,
  id: string,
  format: (typeof PROMPT_FILES)[number],
): string {
  return `${projectPath(slug)}/export-file?${new URLSearchParams({ kind: "prompt", id, format })}`;
}
