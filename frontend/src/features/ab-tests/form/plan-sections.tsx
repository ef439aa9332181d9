import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { FormSection } from "@/components/form-section";
import { NumberField } from "@/components/number-field";
import { BudgetField } from "@/components/run-fields/budget-field";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { AbTestDraft } from "./ab-test-draft";

const RECORDED = "recorded";
const PAIRS = { least: 10, most: 5000 };
/** In points of ten, as they are shown. */
const WORTHWHILE = { least: 0.1, most: 5 };

/** Shared by the sections of the form. */
export interface SectionProps {
  draft: AbTestDraft;
  onDraftChanged: (part: Partial<AbTestDraft>) => void;
  errors: FieldErrors;
}

export interface AnswerSectionProps extends SectionProps {
  datasets: readonly DatasetSummary[];
}

/** Where the answers come from: the cases of a dataset, or a program. */
export function AnswerSection({ draft, onDraftChanged, errors, datasets }: AnswerSectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("abTests.form.answers")} description={t("abTests.form.answersHint")}>
      <Field required label={t("abTests.form.source")} error={errors.dataset_id}>
        {(control) => (
          <Select
            {...control}
            value={draft.datasetId ?? RECORDED}
            onValueChanged={(value) =>
              onDraftChanged({ datasetId: value === RECORDED ? null : value })
            }
            options={[
              {
                value: RECORDED,
                label: t("abTests.form.recorded"),
                description: t("abTests.form.recordedHint"),
              },
              ...datasets.map(({ id, name, case_count: count }) => ({
                value: id,
                label: name,
                description: t("runs.size.cases", { count }),
              })),
            ]}
          />
        )}
      </Field>
    </FormSection>
  );
}

/** How many pairs, what difference matters, and the budget. */
export function PlanSection({ draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("abTests.form.plan")} description={t("abTests.form.planHint")}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <NumberField
          isWhole
          {...PAIRS}
          label={t("abTests.form.pairs")}
          hint={t("abTests.form.pairsHint")}
          value={draft.pairs}
          error={errors.pairs}
          onValueChanged={(pairs) => onDraftChanged({ pairs })}
        />
        <NumberField
          {...WORTHWHILE}
          scale={10}
          unit={t("abTests.form.points")}
          label={t("abTests.form.worthwhile")}
          hint={t("abTests.form.worthwhileHint")}
          value={draft.worthwhile}
          error={errors.worthwhile}
          onValueChanged={(worthwhile) => onDraftChanged({ worthwhile })}
        />
        <BudgetField
          label={t("abTests.form.budget")}
          hint={t("abTests.form.budgetHint")}
          error={errors.budget_usd}
          value={draft.budget}
          onValueChanged={(budget) => onDraftChanged({ budget })}
        />
      </div>
    </FormSection>
  );
}
