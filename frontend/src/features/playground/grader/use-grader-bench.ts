import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { trialQuery } from "@/api/scorers";
import type { Model, Prompt, ScorerTrialRequest } from "@/api/types";
import { contentOf, findOccurrences } from "@/components/prompt-editor/content";
import type { VerdictForm } from "./template";

/** The answer to try a grader on. */
export interface GraderSample {
  answer: string;
  expected: string;
  inputs: Readonly<Record<string, string>>;
  /** Null: the project's default model. */
  modelId: string | null;
  form: VerdictForm;
}

const NO_SAMPLE: GraderSample = {
  answer: "",
  expected: "",
  inputs: {},
  modelId: null,
  form: "share",
};
const NOTHING = { sample: { inputs: {} }, is_cache_bypassed: false, turn: 0 };
const NOT_INPUTS = ["output", "expected"];

type TrialRequest = ScorerTrialRequest & { turn: number };

/** A grader prompt, tried on one answer; null while the open prompt is no grader. */
export function useGraderBench(slug: string, prompt: Prompt | undefined, models: readonly Model[]) {
  const { t } = useTranslation();
  const [sample, setSample] = useState(NO_SAMPLE);
  const [asked, setAsked] = useState<TrialRequest | null>(null);
  const trial = useQuery({ ...trialQuery(slug, asked ?? NOTHING), enabled: asked !== null });
  const names = useMemo(
    () =>
      prompt?.kind === "grader"
        ? [...findOccurrences(contentOf(prompt.draft)).keys()].filter(
            (name) => !NOT_INPUTS.includes(name),
          )
        : [],
    [prompt],
  );
  if (prompt?.kind !== "grader") {
    return null;
  }
  const usable = models.filter((model) => model.is_enabled);
  const model =
    usable.find(({ id }) => id === sample.modelId) ??
    usable.find(({ is_default }) => is_default) ??
    usable[0];
  const ask = (isCacheBypassed: boolean) =>
    setAsked({
      scorer: {
        kind: "grader_prompt",
        weight: 1,
        is_negated: false,
        options: { prompt_id: prompt.id, model_id: model?.id, form: sample.form },
      },
      sample: {
        text: sample.answer,
        expected: sample.expected.trim() === "" ? null : sample.expected,
        inputs: Object.fromEntries(names.map((name) => [name, sample.inputs[name] ?? ""])),
      },
      is_cache_bypassed: isCacheBypassed,
      turn: (asked?.turn ?? 0) + 1,
    });
  return {
    sample,
    setSample,
    /** Inputs that the grader uses. */
    names,
    usable,
    modelId: model?.id ?? "",
    trial,
    isAsked: asked !== null,
    obstacle: sample.answer.trim() === "" ? t("playground.graderBench.noAnswer") : null,
    /** Call it when the draft is saved. */
    ask,
  };
}

export type GraderBench = NonNullable<ReturnType<typeof useGraderBench>>;
