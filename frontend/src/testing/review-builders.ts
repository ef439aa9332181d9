import type { Suggestion, SuggestionSummary } from "@/api/types";

const [BEFORE, AFTER] = ["Answer {{message}}.\n", "Say sorry, then answer {{message}}.\n"];
const DIFF = "--- a/prompt.txt\n+++ b/prompt.txt\n@@ -1 +1 @@\n-Answer\n+Say sorry, then answer\n";

export function aSuggestionSummary(over: Partial<SuggestionSummary> = {}): SuggestionSummary {
  return {
    id: "s1",
    experiment_id: "e1",
    experiment_name: "Better replies",
    iteration_id: "i1",
    iteration_number: 1,
    optimization_id: null,
    optimization_name: null,
    prompt_name: "Replies",
    number: 1,
    origin: "refiner",
    state: "pending",
    note: "Asks for an apology first.",
    targets: [{ key: "s0.1", name: "Tone", mean: 0.42 }],
    violations: [],
    trial: null,
    author: null,
    created_at: "2026-01-15T10:00:00Z",
    decided_at: null,
    decided_by: null,
    ...over,
  };
}

export function aSuggestion(over: Partial<Suggestion> = {}): Suggestion {
  return {
    ...aSuggestionSummary(),
    base: { id: "v1", name: "Replies", label: "v1" },
    latest: { id: "v1", name: "Replies", label: "v1" },
    is_base_latest: true,
    before: { text: BEFORE, system: null, few_shots: [] },
    after: { text: AFTER, system: null, few_shots: [] },
    changes: [{ part: "text", before: BEFORE, after: AFTER, diff: DIFF }],
    diff: DIFF,
    exemplars: ["Where is it?", "It is broken."].map((message, position) => ({
      case_position: position,
      variant_position: 0,
      output_id: null,
      inputs: { message },
      output: `Answer to: ${message}`,
      expected: null,
      tags: ["parcel"],
      weakest: "Tone",
      scores: { Facts: 0.9, Tone: 0.2 },
      rationales: { Tone: "Never says sorry." },
    })),
    is_repaired: false,
    text_name: null,
    prompt_id: "p1",
    syntax: "double",
    variables: ["message"],
    dataset_id: "d1",
    review: null,
    comment_count: 0,
    ...over,
  };
}
