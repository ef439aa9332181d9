import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { promptChoicesQuery } from "@/api/prompts";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import type { MonitorEstimate, MonitorPlan } from "@/api/types";
import { LoadError } from "@/components/load-error";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FieldError } from "@/components/ui/field";
import { FormSkeleton } from "@/components/ui/skeleton";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { useDebounced } from "@/lib/hooks";
import { datasetsQuery, estimateQuery } from "../queries";
import { BudgetSection } from "./budget-section";
import { CaseSection } from "./case-section";
import { EstimatePanel } from "./estimate-panel";
import type { SectionProps } from "./form-props";
import { FormSection } from "./form-section";
import { ModelSection } from "./model-section";
import { missingFields, placeProblems, planOf, type MonitorFormDraft } from "./monitor-draft";
import { RuleSection } from "./rule-section";
import { ScheduleSection } from "./schedule-section";
import { WhatSection } from "./what-section";

const REST_MILLISECONDS = 400;

const FIELDS = {
  name: "name",
  promptId: "prompt_id",
  datasetId: "dataset_id",
  models: "models",
  scorers: "scorers",
} as const;

export interface MonitorFormProps {
  slug: string;
  initial: MonitorFormDraft;
  /** The edited monitor: its checks show how much scores vary. */
  monitorId?: string;
  submitLabel: string;
  /** Saves; rejects with the server's problem. `opened` is the draft that the form began with. */
  save: (draft: MonitorFormDraft, opened: MonitorFormDraft) => Promise<void>;
}

function useMonitorForm({ initial, save }: MonitorFormProps) {
  const { t } = useTranslation();
  // Later changes by others do not replace what is being edited.
  const [opened] = useState(initial);
  const [draft, setDraft] = useState(opened);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [status, setStatus] = useState<"idle" | "saving" | "saved">("idle");
  const submit = async () => {
    const missing = missingFields(draft).filter((name) => name in FIELDS);
    if (missing.length > 0) {
      setErrors(
        Object.fromEntries(
          (missing as (keyof typeof FIELDS)[]).map((name) => [
            FIELDS[name],
            t(`monitors.missing.${name}`),
          ]),
        ),
      );
      setProblem(t("monitors.missing.some"));
      return;
    }
    setStatus("saving");
    try {
      await save(draft, opened);
      setStatus("saved");
    } catch (error) {
      setStatus("idle");
      const placed = placeProblems(asProblem(error).fields);
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
    change: (part: Partial<MonitorFormDraft>) => {
      setDraft((before) => ({ ...before, ...part }));
      setErrors({});
      setProblem(null);
    },
  };
}

/** Estimate of what is entered, asked for once typing pauses. */
function useEstimate(slug: string, draft: MonitorFormDraft, monitorId: string | undefined) {
  const plan = planOf(draft);
  const settled = useDebounced(plan === null ? "" : JSON.stringify(plan), REST_MILLISECONDS);
  const wanted = settled === "" ? null : (JSON.parse(settled) as MonitorPlan);
  return { isReady: plan !== null, estimate: useQuery(estimateQuery(slug, wanted, monitorId)) };
}

interface SectionsProps extends SectionProps {
  falseAlarms: MonitorEstimate["false_alarms"] | undefined;
}

function Sections(props: SectionsProps) {
  const { slug, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const models = useQuery(modelsQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  const all = [prompts, models, datasets, kinds, saved];
  if (prompts.data === undefined || models.data === undefined || datasets.data === undefined) {
    return all.some(({ isError }) => isError) ? (
      <LoadError queries={all} />
    ) : (
      <FormSkeleton fields={6} />
    );
  }
  return (
    <div className="grid content-start gap-6">
      <LoadError queries={all} />
      <WhatSection {...props} prompts={prompts.data.filter(({ kind }) => kind === "generator")} />
      <CaseSection
        {...props}
        datasets={datasets.data.filter(
          ({ id, case_count }) => case_count > 0 || id === draft.datasetId,
        )}
      />
      <ModelSection {...props} models={models.data} />
      <FormSection title={t("monitors.form.scorers")} description={t("monitors.form.scorersHint")}>
        <ScorerFields
          slug={slug}
          kinds={kinds.data ?? []}
          saved={saved.data ?? []}
          chosen={draft.scorers}
          onChosenChanged={(scorers) => onDraftChanged({ scorers })}
          errors={errors}
        />
        {errors.scorers === undefined ? null : <FieldError>{errors.scorers}</FieldError>}
      </FormSection>
      <ScheduleSection {...props} />
      <RuleSection {...props} />
      <BudgetSection {...props} />
    </div>
  );
}

/** All fields of a monitor, with the estimate beside them. */
export function MonitorForm(props: MonitorFormProps) {
  const { slug, monitorId } = props;
  const { t } = useTranslation();
  const form = useMonitorForm(props);
  const { isReady, estimate } = useEstimate(slug, form.draft, monitorId);
  return (
    <form
      noValidate
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <UnsavedGuard dirty={form.isDirty} />
      <Sections
        slug={slug}
        draft={form.draft}
        onDraftChanged={form.change}
        errors={form.errors}
        falseAlarms={isReady ? estimate.data?.false_alarms : undefined}
      />
      <div className="grid gap-4 lg:sticky lg:top-20">
        {form.problem === null ? null : <Alert tone="danger">{form.problem}</Alert>}
        <Card aria-labelledby="monitor-estimate" className="grid gap-5 p-5">
          <div className="grid gap-3" aria-live="polite">
            <h2 id="monitor-estimate" className="text-sm font-semibold">
              {t("monitors.estimate.title")}
            </h2>
            <EstimatePanel
              slug={slug}
              draft={form.draft}
              isReady={isReady}
              estimate={estimate}
              onRepeatsChosen={(repeats) => form.change({ repeats })}
            />
          </div>
          <Button type="submit" loading={form.isSaving}>
            {props.submitLabel}
          </Button>
        </Card>
      </div>
    </form>
  );
}
