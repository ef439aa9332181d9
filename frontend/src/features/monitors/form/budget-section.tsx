import { useTranslation } from "react-i18next";
import { FormSection } from "@/components/form-section";
import { BudgetField } from "@/components/run-fields/budget-field";
import type { SectionProps } from "./form-props";

/** Daily budget; empty for no limit. */
export function BudgetSection({ draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("monitors.form.money")} description={t("monitors.form.moneyHint")}>
      <BudgetField
        label={t("monitors.form.budgetUsd")}
        hint={t("monitors.form.budgetHint")}
        error={errors.daily_budget_usd}
        className="max-w-sm"
        placeholder={t("monitors.cost.noBudget")}
        value={draft.budget}
        onValueChanged={(budget) => onDraftChanged({ budget })}
      />
    </FormSection>
  );
}
