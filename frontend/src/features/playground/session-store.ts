import { z } from "zod";
import { EMPTY_SESSION, type Session } from "./session";

/** Sessions of a project, stored in the browser: the last one, and the last one of each prompt. */
const keyOf = (slug: string, promptId?: string) =>
  ["edison-playground", slug, promptId].filter(Boolean).join(":");

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

/** Null when missing or in an unknown format. Without a prompt, the last session. */
export function readSession(slug: string, promptId?: string): Session | null {
  try {
    const stored = localStorage.getItem(keyOf(slug, promptId));
    const parsed = schema.safeParse(stored === null ? null : JSON.parse(stored));
    return parsed.success ? { ...EMPTY_SESSION, ...parsed.data } : null;
  } catch {
    return null;
  }
}

export function writeSession(slug: string, session: Session): void {
  try {
    const written = JSON.stringify(session);
    localStorage.setItem(keyOf(slug), written);
    if (session.promptId !== null) {
      localStorage.setItem(keyOf(slug, session.promptId), written);
    }
  } catch {
    // Without storage the page starts with the newest run.
  }
}
