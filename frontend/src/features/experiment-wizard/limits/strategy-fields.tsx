import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { strategyKindsQuery } from "@/api/strategies";
import type { Model } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow } from "@/components/schema-form/validate";
import { strategyForm } from "@/components/strategy-form";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { StepSection } from "../step-section";
import type { LimitsFieldsProps } from "./limits-fields";

export interface StrategyFieldsProps extends LimitsFieldsProps {
  slug: string;
  models: readonly Model[];
  editable: boolean;
}

/** How suggestions are made, with the options of the chosen strategy. */
export function StrategyFields(props: StrategyFieldsProps) {
  const { slug, part, onChanged, errors, models, editable } = props;
  const { t } = useTranslation();
  const kinds = useQuery(strategyKindsQuery(slug));
  const { kind, options = {} } = part.strategy;
  const chosen = kinds.data?.find((each) => each.kind === kind);
  const schema = strategyForm(chosen?.options_schema, models);
  return (
    <StepSection
      title={t("wizard.limits.strategyTitle")}
      description={t("wizard.limits.strategyHint")}
    >
      <LoadError queries={[kinds]} />
      <Field
        required
        label={t("wizard.limits.strategy")}
        hint={chosen?.uses_refiner === false ? t("wizard.limits.noRefiner") : undefined}
        error={errors["strategy.kind"]}
      >
        {(control) => (
          <Select
            {...control}
            value={kind}
            options={(kinds.data ?? []).map((each) => ({
              value: each.kind,
              label: each.title,
              description: each.description,
            }))}
            onValueChanged={(next) => onChanged({ strategy: { kind: next, options: {} } })}
          />
        )}
      </Field>
      {schema === null ? null : (
        <SchemaForm
          columns={2}
          schema={schema}
          value={{ ...(initialValue(schema, schema) as FormValue), ...options }}
          errors={errorsBelow(errors, "strategy.options")}
          disabled={!editable}
          onValueChanged={(next) => onChanged({ strategy: { kind, options: next } })}
        />
      )}
    </StepSection>
  );
}
