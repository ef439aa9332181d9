import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { promptChoicesQuery } from "@/api/prompts";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import { strategyKindsQuery } from "@/api/strategies";
import type { OptimizationConfig } from "@/api/types";
import { DraftForm, EstimateState } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { ModelRows } from "@/components/run-fields/model-rows";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { FieldError } from "@/components/ui/field";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { datasetsQuery, estimateQuery } from "../queries";
import { CaseSection } from "./case-section";
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

const REST_MILLISECONDS = 400;
const MOST_MODELS = 4;

export interface OptimizationFormProps {
  slug: string;
  initial: OptimizationFormDraft;
  /** Saves; rejects with the server's problem. */
  save: (draft: OptimizationFormDraft) => Promise<void>;
}

function useFindMissing() {
  const { t } = useTranslation();
  return (draft: OptimizationFormDraft): FieldErrors =>
    Object.fromEntries(
      missingFields(draft).map((field) => [field, t(`optimizations.missing.${field}`)]),
    );
}

/** Estimate of what is entered, asked for once typing pauses. Null while something is missing. */
function useEstimate(slug: string, draft: OptimizationFormDraft) {
  const config = configOf(draft);
  const settled = useDebounced(config === null ? "" : JSON.stringify(config), REST_MILLISECONDS);
  const wanted = settled === "" ? null : (JSON.parse(settled) as OptimizationConfig);
  const estimate = useQuery(estimateQuery(slug, wanted));
  return config === null ? null : estimate;
}

function Sections(props: SectionProps) {
  const { slug, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const models = useQuery(modelsQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  const kinds = useQuery(scorerKindsQuery(slug));
  const saved = useQuery(savedScorersQuery(slug));
  const strategies = useQuery(strategyKindsQuery(slug));
  const all = [prompts, models, datasets, kinds, saved, strategies];
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
      <PromptSection {...props} prompts={prompts.data.filter(({ kind }) => kind === "generator")} />
      <CaseSection
        {...props}
        datasets={datasets.data.filter(
          ({ id, case_count: count }) => count > 0 || id === draft.datasetId,
        )}
      />
      <FormSection
        title={t("optimizations.form.models")}
        description={t("optimizations.form.modelsHint")}
      >
        <ModelRows
          slug={slug}
          models={models.data}
          chosen={draft.models}
          most={MOST_MODELS}
          errors={errors}
          onChosenChanged={(chosen) => onDraftChanged({ models: chosen })}
        />
      </FormSection>
      <FormSection
        title={t("optimizations.form.scorers")}
        description={t("optimizations.form.scorersHint")}
      >
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
      <StrategySection {...props} kinds={strategies.data ?? []} models={models.data} />
      <LimitSection {...props} />
    </div>
  );
}

/** All fields of an optimization, with the estimate beside them. */
export function OptimizationForm({ slug, initial, save }: OptimizationFormProps) {
  const { t } = useTranslation();
  const findMissing = useFindMissing();
  const form = useDraftForm({ initial, findMissing, shown: SHOWN, save });
  const estimate = useEstimate(slug, form.draft);
  return (
    <DraftForm
      submitLabel={t("optimizations.create")}
      problem={form.problem}
      isSaving={form.isSaving}
      isDirty={form.isDirty}
      onSubmitted={() => void form.submit()}
      estimate={
        <EstimateState estimate={estimate} nothingYet={t("optimizations.estimate.nothingYet")}>
          {(found) => <EstimatePanel found={found} budget={form.draft.budget} />}
        </EstimateState>
      }
    >
      <Sections slug={slug} draft={form.draft} onDraftChanged={form.change} errors={form.errors} />
    </DraftForm>
  );
}
