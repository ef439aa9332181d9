import { useTranslation } from "react-i18next";
import { FormSection } from "@/components/form-section";
import { NumberField } from "@/components/number-field";
import { BudgetField } from "@/components/run-fields/budget-field";
import type { SectionProps } from "./form-props";

const MOST_SEED = 2_147_483_647;

/** When the search ends, what gain counts, and what it may cost. */
export function LimitSection({ draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t("optimizations.form.limits")}
      description={t("optimizations.form.limitsHint")}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <BudgetField
          required
          label={t("optimizations.form.budget")}
          hint={t("optimizations.form.budgetHint")}
          error={errors.budget_usd}
          value={draft.budget}
          onValueChanged={(budget) => onDraftChanged({ budget })}
        />
        <NumberField
          isWhole
          least={1}
          most={50}
          label={t("optimizations.form.generations")}
          hint={t("optimizations.form.generationsHint")}
          value={draft.generations}
          error={errors.generations}
          onValueChanged={(generations) => onDraftChanged({ generations })}
        />
        <NumberField
          isWhole
          least={1}
          most={50}
          label={t("optimizations.form.patience")}
          hint={t("optimizations.form.patienceHint")}
          value={draft.patience}
          error={errors.patience}
          onValueChanged={(patience) => onDraftChanged({ patience })}
        />
        <NumberField
          least={0.1}
          most={10}
          scale={10}
          unit="/10"
          placeholder={t("optimizations.form.noTarget")}
          label={t("optimizations.form.target")}
          hint={t("optimizations.form.targetHint")}
          value={draft.targetScore}
          error={errors.target_score}
          onValueChanged={(targetScore) => onDraftChanged({ targetScore })}
        />
        <NumberField
          least={0}
          most={5}
          scale={10}
          unit={t("optimizations.form.points")}
          label={t("optimizations.form.minGain")}
          hint={t("optimizations.form.minGainHint")}
          value={draft.minGain}
          error={errors.min_gain}
          onValueChanged={(minGain) => onDraftChanged({ minGain })}
        />
        <NumberField
          isWhole
          least={0}
          most={MOST_SEED}
          placeholder={t("optimizations.form.drawn")}
          label={t("optimizations.form.seed")}
          hint={t("optimizations.form.seedHint")}
          value={draft.seed}
          error={errors.seed}
          onValueChanged={(seed) => onDraftChanged({ seed })}
        />
      </div>
    </FormSection>
  );
}
