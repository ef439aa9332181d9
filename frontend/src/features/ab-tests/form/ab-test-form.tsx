import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AbTestEstimate } from "@/api/types";
import { DraftForm } from "@/components/draft-form/draft-form";
import { useDraftForm } from "@/components/draft-form/use-draft-form";
import { Assumptions } from "@/components/run-estimate/estimate";
import { EstimateState } from "@/components/run-estimate/estimate-state";
import { RunChoices } from "@/components/run-fields/run-choices";
import type { FieldErrors } from "@/components/schema-form/validate";
import { ScorerSection } from "@/components/scorer-fields/scorer-section";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatUsd } from "@/lib/format";
import { useSettledRequest } from "@/lib/hooks";
import { estimateQuery } from "../queries";
import { missingFields, planOf, SHOWN, withFirst, type AbTestDraft } from "./ab-test-draft";
import { ArmSection } from "./arm-section";
import { AnswerSection, PlanSection, type SectionProps } from "./plan-sections";

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

/** Estimate of what is entered, asked for once typing pauses. */
function useEstimate(slug: string, draft: AbTestDraft) {
  const plan = planOf(draft);
  const wanted = useSettledRequest(plan);
  return { isReady: plan !== null, estimate: useQuery(estimateQuery(slug, wanted)) };
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
        <Alert tone="warning">
          {t("abTests.estimate.overBudget", { budget: formatUsd(draft.budget) })}
        </Alert>
      ) : null}
    </>
  );
}

function Sections(props: SectionProps & { slug: string }) {
  const { slug, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <RunChoices slug={slug} datasetId={draft.datasetId}>
      {({ prompts, models, datasets }) => (
        <>
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
            slug={slug}
            errors={errors}
            prompts={prompts}
            models={models}
            name="first"
            arm={draft.first}
            onArmChanged={(first) => onDraftChanged(withFirst(draft, first))}
          />
          <ArmSection
            slug={slug}
            errors={errors}
            prompts={prompts}
            models={models}
            name="second"
            arm={draft.second}
            onArmChanged={(second) => onDraftChanged({ second })}
          />
          <AnswerSection {...props} datasets={datasets} />
          <ScorerSection
            slug={slug}
            title={t("abTests.form.scorers")}
            description={t("abTests.form.scorersHint")}
            chosen={draft.scorers}
            onChosenChanged={(scorers) => onDraftChanged({ scorers })}
            errors={errors}
          />
          <PlanSection {...props} />
        </>
      )}
    </RunChoices>
  );
}

/** All fields of an A/B test, with the estimate beside them. */
export function AbTestForm({ slug, initial, submitLabel, save }: AbTestFormProps) {
  const { t } = useTranslation();
  const findMissing = useFindMissing();
  const form = useDraftForm({ initial, findMissing, shown: SHOWN, save });
  const { isReady, estimate } = useEstimate(slug, form.draft);
  return (
    <DraftForm
      submitLabel={submitLabel}
      problem={form.problem}
      isSaving={form.isSaving}
      isDirty={form.isDirty}
      onSubmitted={() => void form.submit()}
      estimate={
        <EstimateState
          estimate={estimate}
          missing={isReady ? null : t("abTests.estimate.nothingYet")}
        >
          {(found) => <Estimated found={found} draft={form.draft} />}
        </EstimateState>
      }
    >
      <Sections slug={slug} draft={form.draft} onDraftChanged={form.change} errors={form.errors} />
    </DraftForm>
  );
}
