import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { promptChoicesQuery } from "@/api/prompts";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import type { AbTestConfig, AbTestEstimate } from "@/api/types";
import { DraftForm, EstimateState } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { Assumptions } from "@/components/run-estimate/estimate";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerFields } from "@/components/scorer-fields/scorer-fields";
import { Alert } from "@/components/ui/alert";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/lib/hooks";
import { datasetsQuery, estimateQuery } from "../queries";
import { missingFields, planOf, SHOWN, withFirst, type AbTestDraft } from "./ab-test-draft";
import { ArmSection } from "./arm-section";
import { AnswerSection, PlanSection, type SectionProps } from "./plan-sections";

const REST_MILLISECONDS = 400;

export interface AbTestFormProps {
  slug: string;
  initial: AbTestDraft;
  submitLabel: string;
  /** Saves; rejects with the server's problem. `opened` is the draft that the form began with. */
  save: (draft: AbTestDraft, opened: AbTestDraft) => Promise<void>;
}

function useFindMissing() {
  const { t } = useTranslation();
  return (draft: AbTestDraft): FieldErrors =>
    Object.fromEntries(
      Object.entries(missingFields(draft)).map(([field, name]) => [
        field,
        t(`abTests.missing.${name}`),
      ]),
    );
}

/** Estimate of what is entered, asked for once typing pauses. Null while something is missing. */
function useEstimate(slug: string, draft: AbTestDraft) {
  const plan = planOf(draft);
  const settled = useDebounced(plan === null ? "" : JSON.stringify(plan), REST_MILLISECONDS);
  const wanted = settled === "" ? null : (JSON.parse(settled) as AbTestConfig);
  const estimate = useQuery(estimateQuery(slug, wanted));
  return plan === null ? null : estimate;
}

/** Calls, cost and time of all pairs; a test that is decided earlier costs less. */
function Estimated({ found, draft }: { found: AbTestEstimate; draft: AbTestDraft }) {
  const { t } = useTranslation();
  if (found.run === null) {
    return <p className="text-sm text-ink-muted">{t("abTests.estimate.recorded")}</p>;
  }
  return (
    <>
      <Assumptions estimate={found.run} subject="abTests" />
      <p className="text-xs text-ink-muted">{t("abTests.estimate.atMost")}</p>
      {found.fits_budget === false ? (
        <Alert tone="warning">{t("abTests.estimate.overBudget", { budget: draft.budget })}</Alert>
      ) : null}
    </>
  );
}

function Sections(props: SectionProps & { slug: string }) {
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
  const arms = {
    slug,
    errors,
    prompts: prompts.data.filter(({ kind }) => kind === "generator"),
    models: models.data,
  };
  return (
    <div className="grid content-start gap-6">
      <LoadError queries={all} />
      <Field required label={t("fields.name")} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            value={draft.name}
            onChange={(event) => onDraftChanged({ name: event.target.value })}
          />
        )}
      </Field>
      <ArmSection
        {...arms}
        name="first"
        arm={draft.first}
        onArmChanged={(first) => onDraftChanged(withFirst(draft, first))}
      />
      <ArmSection
        {...arms}
        name="second"
        arm={draft.second}
        onArmChanged={(second) => onDraftChanged({ second })}
      />
      <AnswerSection
        {...props}
        datasets={datasets.data.filter(
          ({ id, case_count }) => case_count > 0 || id === draft.datasetId,
        )}
      />
      <FormSection title={t("abTests.form.scorers")} description={t("abTests.form.scorersHint")}>
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
      <PlanSection {...props} />
    </div>
  );
}

/** All fields of an A/B test, with the estimate beside them. */
export function AbTestForm({ slug, initial, submitLabel, save }: AbTestFormProps) {
  const { t } = useTranslation();
  const findMissing = useFindMissing();
  const form = useDraftForm({ initial, findMissing, shown: SHOWN, save });
  const estimate = useEstimate(slug, form.draft);
  return (
    <DraftForm
      submitLabel={submitLabel}
      problem={form.problem}
      isSaving={form.isSaving}
      isDirty={form.isDirty}
      onSubmitted={() => void form.submit()}
      estimate={
        <EstimateState estimate={estimate} nothingYet={t("abTests.estimate.nothingYet")}>
          {(found) => <Estimated found={found} draft={form.draft} />}
        </EstimateState>
      }
    >
      <Sections slug={slug} draft={form.draft} onDraftChanged={form.change} errors={form.errors} />
    </DraftForm>
  );
}
