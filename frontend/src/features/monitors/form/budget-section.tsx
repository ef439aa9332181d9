import { useTranslation } from "react-i18next";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { SectionProps } from "./form-props";
import { FormSection } from "@/components/form-section";

/** Daily budget; empty for no limit. */
export function BudgetSection({ draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("monitors.form.money")} description={t("monitors.form.moneyHint")}>
      <Field
        label={t("monitors.form.budgetUsd")}
        hint={t("monitors.form.budgetHint")}
        error={errors.daily_budget_usd}
        className="max-w-sm"
      >
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            className="tabular-nums"
            placeholder={t("monitors.cost.noBudget")}
            value={draft.budget}
            onChange={(event) => onDraftChanged({ budget: event.target.value })}
          />
        )}
      </Field>
    </FormSection>
  );
}
