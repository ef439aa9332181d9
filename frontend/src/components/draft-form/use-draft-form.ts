import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type FieldProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { FieldErrors } from "@/components/schema-form/validate";

export interface DraftFormOptions<Draft> {
  initial: Draft;
  /** Messages about fields that must be filled before the draft is sent. */
  findMissing: (draft: Draft) => FieldErrors;
  /** Fields that the form shows; problems of others are listed above it. */
  shown: RegExp;
  /** Saves; rejects with the server's problem. `opened` is the draft that the form began with. */
  save: (draft: Draft, opened: Draft) => Promise<void>;
}

/** Server errors by form field, and those without one. */
export function placeProblems(
  problems: readonly FieldProblem[],
  shown: RegExp,
): { errors: FieldErrors; unplaced: string[] } {
  const placed = problems.filter(({ field }) => shown.test(field));
  return {
    errors: Object.fromEntries(placed.map(({ field, message }) => [field, message])),
    unplaced: problems.filter((each) => !placed.includes(each)).map(({ message }) => message),
  };
}

/** The fields that differ from what is stored. */
export function changedFields<Request extends object>(
  stored: Request | null,
  wanted: Request,
): Partial<Request> {
  const known: Partial<Record<string, unknown>> = { ...stored };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(known[name]) !== JSON.stringify(value),
    ),
  ) as Partial<Request>;
}

/** State of a page-long form: the draft, its errors, and saving. */
export function useDraftForm<Draft>(options: DraftFormOptions<Draft>) {
  const { initial, findMissing, shown, save } = options;
  const { t } = useTranslation();
  // Later changes by others do not replace what is being edited.
  const [opened] = useState(initial);
  const [draft, setDraft] = useState(opened);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [status, setStatus] = useState<"idle" | "saving" | "saved">("idle");
  const submit = async () => {
    const missing = findMissing(draft);
    if (Object.keys(missing).length > 0) {
      setErrors(missing);
      setProblem(t("monitors.missing.some"));
      return;
    }
    setStatus("saving");
    try {
      await save(draft, opened);
      setStatus("saved");
    } catch (error) {
      setStatus("idle");
      const placed = placeProblems(asProblem(error).fields, shown);
      setErrors(placed.errors);
      setProblem(
        placed.unplaced.length > 0
          ? placed.unplaced.join(" ")
          : Object.keys(placed.errors).length > 0
            ? t("monitors.missing.some")
            : problemMessage(error),
      );
    }
  };
  return {
    draft,
    errors,
    problem,
    isSaving: status === "saving",
    isDirty: status === "idle" && draft !== opened,
    submit,
    change: (part: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...part }));
      setErrors({});
      setProblem(null);
    },
  };
}
