import { z } from "zod";
import { EMPTY_SESSION, type Session } from "./session";

/** Session of a project, stored in the browser. */
const keyOf = (slug: string) => `edison-playground:${slug}`;

const id = z.string().min(1);

const schema = z.object({
  promptId: id.nullable(),
  columns: z.array(
    z.object({
      key: id,
      modelId: id,
      versionId: id.nullable(),
      parameters: z.record(z.string(), z.unknown()).nullable(),
      label: z.string().nullable(),
      position: z.int().nullable(),
    }),
  ),
  datasetId: id.nullable(),
  inputs: z.record(z.string(), z.string()),
  expected: z.string().default(""),
  graders: z.object({
    promptId: id.nullable(),
    modelId: id.nullable(),
    scorers: z.array(z.object({ versionId: id, weight: z.number() })),
  }),
  runId: id.nullable(),
});

/** Null when missing or in an unknown format. */
export function readSession(slug: string): Session | null {
  try {
    const stored = localStorage.getItem(keyOf(slug));
    const parsed = schema.safeParse(stored === null ? null : JSON.parse(stored));
    return parsed.success ? { ...EMPTY_SESSION, ...parsed.data } : null;
  } catch {
    return null;
  }
}

export function writeSession(slug: string, session: Session): void {
  try {
    localStorage.setItem(keyOf(slug), JSON.stringify(session));
  } catch {
    // Without storage the page starts with the newest run.
  }
}
