import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { promptChoicesQuery } from "@/api/prompts";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import type { MonitorEstimate, MonitorPlan } from "@/api/types";
import { DraftForm } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { FieldError } from "@/components/ui/field";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { datasetsQuery, estimateQuery } from "../queries";
import { BudgetSection } from "./budget-section";
import { CaseSection } from "./case-section";
import { EstimatePanel } from "./estimate-panel";
import type { SectionProps } from "./form-props";
import { ModelSection } from "./model-section";
import { missingFields, planOf, SHOWN, type MonitorFormDraft } from "./monitor-draft";
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

function useFindMissing() {
  const { t } = useTranslation();
  return (draft: MonitorFormDraft): FieldErrors =>
    Object.fromEntries(
      missingFields(draft)
        .filter((name): name is keyof typeof FIELDS => name in FIELDS)
        .map((name) => [FIELDS[name], t(`monitors.missing.${name}`)]),
    );
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
export function MonitorForm({ slug, initial, monitorId, submitLabel, save }: MonitorFormProps) {
  const findMissing = useFindMissing();
  const form = useDraftForm({ initial, findMissing, shown: SHOWN, save });
  const { isReady, estimate } = useEstimate(slug, form.draft, monitorId);
  return (
    <DraftForm
      submitLabel={submitLabel}
      problem={form.problem}
      isSaving={form.isSaving}
      isDirty={form.isDirty}
      onSubmitted={() => void form.submit()}
      estimate={
        <EstimatePanel
          slug={slug}
          draft={form.draft}
          estimate={isReady ? estimate : null}
          onRepeatsChosen={(repeats) => form.change({ repeats })}
        />
      }
    >
      <Sections
        slug={slug}
        draft={form.draft}
        onDraftChanged={form.change}
        errors={form.errors}
        falseAlarms={isReady ? estimate.data?.false_alarms : undefined}
      />
    </DraftForm>
  );
}
