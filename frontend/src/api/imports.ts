import { query } from "./queries";
import type { components } from "./schema.gen";
import { uploadFile, type UploadOptions } from "./upload";

export type FileImport = components["schemas"]["FileImportRead"];
export type ImportFormat = components["schemas"]["FormatRead"];

/** What to do with names that the project already has. */
export const ON_EXISTING = ["refuse", "skip", "rename"] as const;
export type OnExisting = (typeof ON_EXISTING)[number];

export interface ImportChoice {
  /** Recognised from the content if null. */
  format: ImportFormat["key"] | null;
  existing: OnExisting;
  /** The model that grades assertions which name none; null for the project's usual one. */
  graderId: string | null;
}

/** The formats that can be imported. */
export const importFormatsQuery = (slug: string) =>
  query("/projects/{project}/import/formats", { project: slug }, { staleTime: Infinity });

/** Imports a file or, for a preview, returns what an import would do. */
export async function sendImport(
  slug: string,
  file: File,
  choice: ImportChoice,
  options: UploadOptions & { isPreview: boolean },
): Promise<FileImport> {
  const asked = new URLSearchParams({ name: file.name, existing: choice.existing });
  if (choice.format !== null) {
    asked.set("format", choice.format);
  }
  if (choice.graderId !== null) {
    asked.set("grader_id", choice.graderId);
  }
  const path = `/api/v1/projects/${encodeURIComponent(slug)}/import`;
  const step = options.isPreview ? "/preview" : "";
  return (await uploadFile(`${path}${step}?${asked}`, file, options)) as FileImport;
}
