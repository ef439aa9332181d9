import type { DatasetSummary, Rubric, SavedScorer, ScorerKind } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aScorerKind(over: Partial<ScorerKind> = {}): ScorerKind {
  return {
    kind: "contains",
    title: "Contains",
    description: "Certain words occur in the answer.",
    cost_class: "free",
    needs_expected: false,
    group: "text",
    example: "Phrase “refund”: “You will get a refund.” gives 1.",
    takes_rubric: false,
    obstacle: null,
    options_schema: {
      type: "object",
      properties: { phrase: { type: "string", title: "Phrase", maxLength: 100 } },
    },
    ...over,
  };
}

export function aScorer(over: Partial<SavedScorer> = {}): SavedScorer {
  return {
    id: "s1",
    name: "Names the parcel",
    description: null,
    kind: "contains",
    kind_title: "Contains",
    cost_class: "free",
    needs_expected: false,
    threshold: null,
    weight: 1,
    is_negated: false,
    latest: { id: "v2", number: 2, label: "v2" },
    rubric: null,
    run_count: 3,
    author: "ada@example.org",
    archived_at: null,
    created_at: "2026-03-01T12:00:00Z",
    updated_at: "2026-03-01T12:00:00Z",
    options: { phrase: "parcel" },
    ...over,
  };
}

export function aDataset(over: Partial<DatasetSummary> = {}): DatasetSummary {
  return {
    id: "d1",
    name: "Golden",
    kind: "golden",
    description: "What support answers",
    tags: [],
    holdout_percent: 20,
    case_count: 1234,
    created_at: AT,
    updated_at: AT,
    archived_at: null,
    last_used_at: null,
    ...over,
  };
}

export function aRubric(over: Partial<Rubric> = {}): Rubric {
  return {
    id: "r1",
    name: "Kind replies",
    description: null,
    criteria: [{ name: "Tone", description: "Is it kind?", weight: 1, scale: "0-10" }],
    criterion_names: ["Tone"],
    latest: { id: "rv1", number: 1, label: "v1" },
    scorer_count: 1,
    author: "ada@example.org",
    archived_at: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  };
}
