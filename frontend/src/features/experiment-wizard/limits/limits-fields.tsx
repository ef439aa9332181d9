import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Field } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Switch } from "@/components/ui/switch";
import { NumberField } from "@/components/number-field";
import { StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";
import { MoneyField } from "./money-field";

const MOST_TOKENS = 10_000_000;

export type LimitsFieldsProps = Pick<StepProps<"limits">, "part" | "onChanged" | "errors">;

/** Stopping rules: number of iterations, or no improvement. */
export function StopFields({ part, onChanged, errors }: LimitsFieldsProps) {
  const { t } = useTranslation();
  return (
    <StepSection title={t("wizard.limits.stopTitle")} description={t("wizard.limits.stopHint")}>
      <NumberField
        isWhole
        label={t("wizard.limits.iterations")}
        hint={t("wizard.limits.iterationsHint")}
        unit={t("wizard.limits.iterationsUnit", { count: part.max_iterations })}
        least={1}
        most={100}
        value={part.max_iterations}
        error={errors.max_iterations}
        onValueChanged={(max_iterations) => onChanged({ max_iterations })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <NumberField
          label={t("wizard.limits.improvement")}
          hint={t("wizard.limits.improvementHint")}
          unit={t("wizard.limits.points")}
          scale={100}
          least={0}
          most={100}
          value={part.min_improvement}
          error={errors.min_improvement}
          onValueChanged={(min_improvement) => onChanged({ min_improvement })}
        />
        <NumberField
          isWhole
          label={t("wizard.limits.window")}
          hint={t("wizard.limits.windowHint")}
          unit={t("wizard.limits.windowUnit", { count: part.convergence_window })}
          least={1}
          most={10}
          value={part.convergence_window}
          error={errors.convergence_window}
          onValueChanged={(convergence_window) => onChanged({ convergence_window })}
        />
      </div>
    </StepSection>
  );
}

/** Budget limits. */
export function BudgetFields({ part, onChanged, errors }: LimitsFieldsProps) {
  const { t } = useTranslation();
  return (
    <StepSection title={t("wizard.limits.budgetTitle")} description={t("wizard.limits.budgetHint")}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label={t("wizard.limits.budget")}
          hint={t("wizard.limits.budgetFieldHint")}
          value={part.budget_usd}
          error={errors.budget_usd}
          onValueChanged={(budget_usd) => onChanged({ budget_usd })}
        />
        <NumberField
          label={t("wizard.limits.alert")}
          hint={t("wizard.limits.alertHint")}
          unit={t("wizard.limits.alertUnit")}
          scale={100}
          least={50}
          most={100}
          value={part.alert_threshold}
          error={errors.alert_threshold}
          onValueChanged={(alert_threshold) => onChanged({ alert_threshold })}
        />
        <NumberField
          isWhole
          label={t("wizard.limits.tokens")}
          hint={t("wizard.limits.tokensHint")}
          placeholder={t("wizard.limits.noLimit")}
          unit={t("wizard.limits.tokensUnit")}
          least={1}
          most={MOST_TOKENS}
          value={part.max_tokens}
          error={errors.max_tokens}
          onValueChanged={(max_tokens) => onChanged({ max_tokens })}
        />
      </div>
    </StepSection>
  );
}

export interface RefinerFieldsProps extends LimitsFieldsProps {
  models: readonly Model[];
  /** Default refiner. */
  firstJudge: string | undefined;
}

/** Refiner settings. */
export function RefinerFields(props: RefinerFieldsProps) {
  const { part, onChanged, errors, models, firstJudge } = props;
  const { t } = useTranslation();
  const judge = models.find(({ id }) => id === firstJudge)?.display_name;
  return (
    <StepSection
      title={t("wizard.limits.refinerTitle")}
      description={t("wizard.limits.refinerHint")}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field
          required
          label={t("wizard.limits.refiner")}
          hint={t("wizard.limits.refinerFieldHint")}
          error={errors.refiner_model_id}
        >
          {(control) => (
            <ModelSelect
              {...control}
              models={models}
              chosen={part.refiner_model_id ?? null}
              other={{
                label: t("wizard.limits.firstJudge"),
                description: judge,
                onChosen: () => onChanged({ refiner_model_id: null }),
              }}
              onChosen={(refiner_model_id) => onChanged({ refiner_model_id })}
            />
          )}
        </Field>
        <NumberField
          isWhole
          label={t("wizard.limits.candidates")}
          hint={t("wizard.limits.candidatesHint")}
          unit={t("wizard.limits.candidatesUnit", { count: part.candidates })}
          least={1}
          most={5}
          value={part.candidates}
          error={errors.candidates}
          onValueChanged={(candidates) => onChanged({ candidates })}
        />
      </div>
    </StepSection>
  );
}

const SWITCHES = ["prunes_weak_variants", "stops_without_suggestion", "is_adaptive"] as const;

/** Settings that save calls. */
export function SavingFields({ part, onChanged }: LimitsFieldsProps) {
  const { t } = useTranslation();
  return (
    <StepSection title={t("wizard.limits.savingTitle")} description={t("wizard.limits.savingHint")}>
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={t(`wizard.limits.switches.${name}.label`)}
          description={t(`wizard.limits.switches.${name}.hint`)}
          checked={part[name]}
          onCheckedChanged={(checked) => onChanged({ [name]: checked })}
        />
      ))}
    </StepSection>
  );
}
