import type { GenerationRequest } from "@/api/types";
import type { Syntax } from "@/lib/template";
import type { GenerateKind } from "./overlay";
import { parseTags } from "./values";

export const LENGTHS = ["XS", "S", "M", "L", "XL"] as const;
export type Length = (typeof LENGTHS)[number];

export const ATTACKS = [
  "injection",
  "ambiguity",
  "long",
  "empty",
  "contradictory",
  "multilingual",
] as const;
export type Attack = (typeof ATTACKS)[number];

export const LEVELS = ["mixed", "easy", "medium", "hard"] as const;
export type Level = (typeof LEVELS)[number];

/** A prompt that is not saved in the library. */
export interface WrittenPrompt {
  syntax: Syntax;
  system: string | null;
  text: string;
}

/** Form state of all kinds of generation. */
export interface GenerateForm {
  kind: GenerateKind;
  modelId: string;
  count: string;
  variables: string;
  tags: string;
  withExpected: boolean;
  hints: string;
  diversity: number;
  languages: string;
  lengths: readonly Length[];
  promptId: string;
  /** Prompt to attack, in place of one from the library. */
  written: WrittenPrompt | null;
  attacks: readonly Attack[];
  topic: string;
  types: string;
  level: Level;
  instructions: string;
}

export function newForm(
  kind: GenerateKind,
  modelId: string,
  gap: string | undefined,
): GenerateForm {
  return {
    kind,
    modelId,
    count: "20",
    variables: "",
    tags: "",
    withExpected: false,
    hints: gap ?? "",
    diversity: 5,
    languages: "",
    lengths: [],
    promptId: "",
    written: null,
    attacks: ATTACKS,
    topic: "",
    types: "",
    level: "mixed",
    instructions: "",
  };
}

const orNull = (text: string) => (text.trim() === "" ? null : text.trim());

/** Request body; omits fields that do not belong to the kind. */
export function toGeneration(form: GenerateForm): GenerationRequest {
  const shared = {
    model_id: form.modelId,
    count: Number(form.count),
    variables: parseTags(form.variables),
    tags: parseTags(form.tags),
    with_expected: form.withExpected,
  };
  const languages = parseTags(form.languages);
  switch (form.kind) {
    case "synthetic":
      return {
        ...shared,
        kind: "synthetic",
        hints: form.hints,
        diversity: form.diversity,
        languages,
        length_buckets: [...form.lengths],
      };
    case "gaps":
      return { ...shared, kind: "gaps", hints: orNull(form.hints), diversity: form.diversity };
    case "adversarial":
      return {
        ...shared,
        kind: "adversarial",
        ...(form.written === null ? { prompt_id: form.promptId } : { prompt: form.written }),
        attacks: [...form.attacks],
        hints: orNull(form.hints),
      };
    case "questions":
      return {
        ...shared,
        kind: "questions",
        topic: form.topic,
        types: parseTags(form.types),
        difficulty: form.level,
        instructions: orNull(form.instructions),
        languages,
      };
  }
}

type FormErrorKey =
  "count" | "countOfQuestions" | "hints" | "prompt" | "attacks" | "topic" | "model";

/** Client-side errors by field. */
export function formProblems(form: GenerateForm): Partial<Record<string, FormErrorKey>> {
  const problems: Partial<Record<string, FormErrorKey>> = {};
  const fewest = form.kind === "questions" ? 1 : 10;
  const count = Number(form.count);
  if (!Number.isInteger(count) || form.count.trim() === "" || count < fewest || count > 500) {
    problems.count = fewest === 1 ? "countOfQuestions" : "count";
  }
  if (form.modelId === "") {
    problems.model_id = "model";
  }
  const length = form.hints.trim().length;
  if (form.kind === "synthetic" && (length < 20 || length > 1000)) {
    problems.hints = "hints";
  }
  if (form.kind === "adversarial" && form.promptId === "" && form.written === null) {
    problems.prompt_id = "prompt";
  }
  if (form.kind === "adversarial" && form.attacks.length === 0) {
    problems.attacks = "attacks";
  }
  if (form.kind === "questions" && form.topic.trim() === "") {
    problems.topic = "topic";
  }
  return problems;
}

/** Toggles a value, keeping the order of `all`. */
export function toggle<V>(all: readonly V[], chosen: readonly V[], value: V): V[] {
  return all.filter((each) => (each === value ? !chosen.includes(each) : chosen.includes(each)));
}
