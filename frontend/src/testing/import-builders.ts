import type { FileImport, ImportFormat } from "@/api/imports";

export const IMPORT_FORMATS: ImportFormat[] = [
  {
    key: "promptfoo",
    title: "promptfoo or edison.yaml",
    description: "promptfooconfig.yaml, or a zip of its folder.",
    makes: ["prompt", "dataset", "scorer", "model"],
  },
  { key: "langfuse", title: "Langfuse", description: "Dataset items.", makes: ["dataset"] },
];

/** The preview of a configuration with one part that is not imported. */
export function aFileImport(over: Partial<FileImport> = {}): FileImport {
  return {
    format: "promptfoo",
    name: "Support answers",
    kind: null,
    parts: [
      { source: "prompt 1", kind: "prompt", name: "Reply", count: null, is_existing: false },
      { source: "12 tests", kind: "dataset", name: "Support", count: 12, is_existing: false },
      { source: "openai:gpt-4o", kind: "model", name: "GPT", count: null, is_existing: true },
    ],
    created: [{ kind: "prompt", names: ["Reply"] }],
    skipped: [],
    runs: 0,
    copies: 1,
    needs_credential: ["GPT"],
    needs_grader: false,
    grader: null,
    left_out: [
      {
        what: "provider exec:python answer.py",
        reason: "A server does not run code of files.",
        place: "promptfooconfig.yaml:12:5",
        count: 1,
      },
    ],
    ...over,
  };
}
