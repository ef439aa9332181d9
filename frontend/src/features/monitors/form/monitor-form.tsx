import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MonitorEstimate } from "@/api/types";
import { DraftForm } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { RunChoices } from "@/components/run-fields/run-choices";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerSection } from "@/components/scorer-fields/scorer-section";
import { useSettledRequest } from "@/lib/hooks";
import { estimateQuery } from "../queries";
import { BudgetSection } from "./budget-section";
import { CaseSection } from "./case-section";
import { EstimatePanel } from "./estimate-panel";
import type { SectionProps } from "./form-props";
import { ModelSection } from "./model-section";
import { missingFields, planOf, SHOWN, type MonitorFormDraft } from "./monitor-draft";
import { RuleSection } from "./rule-section";
import { ScheduleSection } from "./schedule-section";
import { WhatSection } from "./what-section";

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
  const wanted = useSettledRequest(plan);
  return { isReady: plan !== null, estimate: useQuery(estimateQuery(slug, wanted, monitorId)) };
}

interface SectionsProps extends SectionProps {
  falseAlarms: MonitorEstimate["false_alarms"] | undefined;
}

function Sections(props: SectionsProps) {
  const { slug, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <RunChoices slug={slug} datasetId={draft.datasetId}>
      {({ prompts, models, datasets }) => (
        <>
          <WhatSection {...props} prompts={prompts} />
          <CaseSection {...props} datasets={datasets} />
          <ModelSection {...props} models={models} />
          <ScorerSection
            slug={slug}
            title={t("monitors.form.scorers")}
            description={t("monitors.form.scorersHint")}
            chosen={draft.scorers}
            onChosenChanged={(scorers) => onDraftChanged({ scorers })}
            errors={errors}
          />
          <ScheduleSection {...props} />
          <RuleSection {...props} />
          <BudgetSection {...props} />
        </>
      )}
    </RunChoices>
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
          estimate={estimate}
          isReady={isReady}
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
