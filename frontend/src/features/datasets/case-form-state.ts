import type { Case, CaseRequest } from "@/api/types";
import {
  parseTags,
  parseValue,
  writeValue,
  editFormatOf,
  type CaseDraft,
  type EditFormat,
} from "./values";
import type { Difficulty, Origin, Split } from "./view";

/** One variable being edited. `name` is the text entered for a new one. */
export interface InputField {
  name: string;
  text: string;
  writing: EditFormat;
  /** A case may omit variables of its dataset. */
  isPresent: boolean;
  isNew: boolean;
}

/** Form state of a case: text until saved. */
export interface CaseForm {
  inputs: readonly InputField[];
  expected: string;
  tags: string;
  difficulty: Difficulty | "";
  /** Empty: chosen by the server. */
  split: Split | "";
  origin: Origin | "";
  notes: string;
}

export const newInput = (): InputField => ({
  name: "",
  text: "",
  writing: "text",
  isPresent: true,
  isNew: true,
});

/** Form of a case with all variables of its dataset; an empty form for null. */
export function toForm(row: Case | null, variables: readonly string[]): CaseForm {
  const names = [...new Set([...variables, ...Object.keys(row?.inputs ?? {})])];
  const inputs = names.map((name): InputField => {
    const value = row?.inputs[name];
    return {
      name,
      text: writeValue(value),
      writing: editFormatOf(value),
      isPresent: row === null || value !== undefined,
      isNew: false,
    };
  });
  return {
    inputs: inputs.length === 0 ? [newInput()] : inputs,
    expected: row?.expected ?? "",
    tags: row?.tags.join(", ") ?? "",
    difficulty: row?.difficulty == null ? "" : (String(row.difficulty) as Difficulty),
    split: row?.split ?? "",
    origin: row?.origin ?? "",
    notes: row?.notes ?? "",
  };
}

/** Field names that the form can show errors for, as the server names them. */
export function fieldNames(form: CaseForm): string[] {
  const inputs = form.inputs.map(({ name }) => `inputs.${name.trim()}`);
  return [...inputs, "expected", "tags", "difficulty", "split", "origin", "notes"];
}

export type FormErrors = Record<string, string>;

export type ReadForm = { ok: true; draft: CaseDraft } | { ok: false; errors: FormErrors };

export interface FormWords {
  nameMissing: string;
  nameTwice: string;
  badJson: (problem: string) => string;
}

/** Parsed form values, or errors by `inputs.<name>` or `name.<index>`. */
export function readForm(form: CaseForm, words: FormWords): ReadForm {
  const errors: FormErrors = {};
  const inputs: Record<string, unknown> = {};
  form.inputs.forEach((field, index) => {
    if (!field.isPresent) {
      return;
    }
    const name = field.name.trim();
    const parsed = parseValue(field.text, field.writing);
    if (name === "") {
      errors[`name.${index}`] = words.nameMissing;
    } else if (Object.hasOwn(inputs, name)) {
      errors[`name.${index}`] = words.nameTwice;
    } else if (!parsed.ok) {
      errors[`inputs.${name}`] = words.badJson(parsed.problem);
    } else {
      inputs[name] = parsed.value;
    }
  });
  if (Object.keys(errors).length > 0) {
    return { ok: false, errors };
  }
  return {
    ok: true,
    draft: {
      inputs,
      expected: form.expected === "" ? null : form.expected,
      tags: parseTags(form.tags),
      difficulty: form.difficulty === "" ? null : Number(form.difficulty),
      split: form.split === "" ? "train" : form.split,
      origin: form.origin === "" ? "manual" : form.origin,
      notes: form.notes.trim() === "" ? null : form.notes,
    },
  };
}

/** Create request; fields left open are chosen by the server. */
export function toRequest(form: CaseForm, draft: CaseDraft): CaseRequest {
  return {
    ...draft,
    split: form.split === "" ? null : form.split,
    origin: form.origin === "" ? null : form.origin,
  };
}
