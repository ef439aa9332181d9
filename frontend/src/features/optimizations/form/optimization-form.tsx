import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { strategyKindsQuery } from "@/api/strategies";
import { DraftForm } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { EstimateState } from "@/components/run-estimate/estimate-state";
import { ModelRows } from "@/components/run-fields/model-rows";
import { RunChoices } from "@/components/run-fields/run-choices";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerSection } from "@/components/scorer-fields/scorer-section";
import { useSettledRequest } from "@/lib/hooks";
import { estimateQuery } from "../queries";
import { CaseSection } from "./case-section";
import { CheaperModelSection } from "./cheaper-model-section";
import { EstimatePanel } from "./estimate-panel";
import type { SectionProps } from "./form-props";
import { LimitSection } from "./limit-section";
import {
  configOf,
  missingFields,
  SHOWN,
  type OptimizationFormDraft,
} from "./optimization-form-draft";
import { PromptSection } from "./prompt-section";
import { StrategySection } from "./strategy-section";

const MOST_MODELS = 4;

export interface OptimizationFormProps {
  slug: string;
  initial: OptimizationFormDraft;
  /** Saves; rejects with the server's problem. */
  save: (draft: OptimizationFormDraft) => Promise<void>;
  submitLabel?: string;
}

function useFindMissing() {
  const { t } = useTranslation();
  return (draft: OptimizationFormDraft): FieldErrors =>
    Object.fromEntries(
      missingFields(draft).map((field) => [field, t(`optimizations.missing.${field}`)]),
    );
}

/** Estimate of what is entered, asked for once typing pauses. */
function useEstimate(slug: string, draft: OptimizationFormDraft) {
  const config = configOf(draft);
  const wanted = useSettledRequest(config);
  return { isReady: config !== null, estimate: useQuery(estimateQuery(slug, wanted)) };
}

function Sections(props: SectionProps) {
  const { slug, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const strategies = useQuery(strategyKindsQuery(slug));
  return (
    <RunChoices slug={slug} datasetId={draft.datasetId}>
      {({ prompts, models, datasets }) => (
        <>
          <PromptSection {...props} prompts={prompts} />
          <CaseSection {...props} datasets={datasets} />
          <FormSection
            title={t("optimizations.form.models")}
            description={t("optimizations.form.modelsHint")}
          >
            <ModelRows
              slug={slug}
              models={models}
              chosen={draft.models}
              most={MOST_MODELS}
              errors={errors}
              onChosenChanged={(chosen) => onDraftChanged({ models: chosen })}
            />
          </FormSection>
          <CheaperModelSection {...props} models={models} />
          <ScorerSection
            slug={slug}
            title={t("optimizations.form.scorers")}
            description={t("optimizations.form.scorersHint")}
            chosen={draft.scorers}
            onChosenChanged={(scorers) => onDraftChanged({ scorers })}
            errors={errors}
          />
          <LoadError queries={[strategies]} />
          <StrategySection {...props} kinds={strategies.data ?? []} models={models} />
          <LimitSection {...props} />
        </>
      )}
    </RunChoices>
  );
}

/** All fields of an optimization, with the estimate beside them. */
export function OptimizationForm(props: OptimizationFormProps) {
  const { slug, initial, save } = props;
  const { t } = useTranslation();
  const findMissing = useFindMissing();
  const form = useDraftForm({ initial, findMissing, shown: SHOWN, save });
  const { isReady, estimate } = useEstimate(slug, form.draft);
  return (
    <DraftForm
      submitLabel={props.submitLabel ?? t("optimizations.create")}
      problem={form.problem}
      isSaving={form.isSaving}
      isDirty={form.isDirty}
      onSubmitted={() => void form.submit()}
      estimate={
        <EstimateState
          estimate={estimate}
          missing={isReady ? null : t("optimizations.estimate.nothingYet")}
        >
          {(found) => <EstimatePanel found={found} budget={form.draft.budget} />}
        </EstimateState>
      }
    >
      <Sections slug={slug} draft={form.draft} onDraftChanged={form.change} errors={form.errors} />
    </DraftForm>
  );
}
