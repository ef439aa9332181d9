import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "@/api/request";
import type { ScorerTrialRequest } from "@/api/types";
import { BenchRefused } from "@/components/scorer-bench/bench-refused";
import { BenchResult } from "@/components/scorer-bench/bench-result";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { Draft } from "../wizard-step";
import { caseLabel, useExampleCases } from "./example-case";

const NO_CASE = "none";

export interface JudgeTestDialogProps {
  slug: string;
  draft: Draft;
  onClosed: () => void;
}

function useTrial(slug: string) {
  return useMutation({
    mutationFn: (body: ScorerTrialRequest) =>
      send("post", "/projects/{project}/scorers/try", { project: slug, body }),
  });
}

/** Judge panel as an iteration would use it. */
function panelOf({ judges, objective, rubric }: Draft): NonNullable<ScorerTrialRequest["scorer"]> {
  const asked = { judges: judges.judges, goal: objective.goal };
  const saved = rubric.rubric_version_id;
  return {
    kind: "judge_panel",
    weight: 1,
    is_negated: false,
    options: saved === null ? { ...asked, criteria: rubric.criteria } : asked,
    rubric_version_id: saved,
  };
}

/** Tries the judges on one answer. */
export function JudgeTestDialog({ slug, draft, onClosed }: JudgeTestDialogProps) {
  const { t } = useTranslation();
  const cases = useExampleCases(slug, draft.data);
  const trial = useTrial(slug);
  const [caseIndex, setCaseIndex] = useState("0");
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const chosen = caseIndex === NO_CASE ? undefined : cases[Number(caseIndex)];
  const current = JSON.stringify([chosen, text]);
  const ask = (isCacheBypassed: boolean) => {
    setAsked(current);
    trial.mutate({
      scorer: panelOf(draft),
      sample: { text, inputs: chosen?.inputs ?? {}, expected: chosen?.expected ?? null },
      is_cache_bypassed: isCacheBypassed,
    });
  };
  const expected = chosen?.expected ?? null;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("wizard.judges.test.title")}
      description={t("wizard.judges.test.description", { count: draft.judges.judges.length })}
    >
      {cases.length === 0 ? null : (
        <Field required label={t("wizard.judges.test.case")}>
          {(control) => (
            <Select
              {...control}
              value={caseIndex}
              options={[
                ...cases.map((each, index) => ({
                  value: String(index),
                  label: `${index + 1}. ${caseLabel(each)}`,
                })),
                { value: NO_CASE, label: t("wizard.judges.test.noCase") },
              ]}
              onValueChanged={setCaseIndex}
            />
          )}
        </Field>
      )}
      <Field
        required
        label={t("wizard.judges.test.answer")}
        hint={t("wizard.judges.test.answerHint")}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {expected === null || expected === text ? null : (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          onClick={() => setText(expected)}
        >
          {t("scorers.bench.useExpected")}
        </Button>
      )}
      <section aria-live="polite" aria-label={t("scorers.bench.result")}>
        {trial.isPending ? (
          <LoadingStatus>
            <Skeleton className="h-24" />
          </LoadingStatus>
        ) : trial.isError ? (
          <BenchRefused error={trial.error} />
        ) : trial.data === undefined ? null : (
          <BenchResult trial={trial.data} isOld={asked !== current} onAskedAnew={() => ask(true)} />
        )}
      </section>
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.close")}
        </Button>
        <Button loading={trial.isPending} disabled={text.trim() === ""} onClick={() => ask(false)}>
          <Play aria-hidden />
          {t("wizard.judges.test.run")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
