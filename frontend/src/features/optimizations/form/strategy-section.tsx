import { useTranslation } from "react-i18next";
import type { Model, StrategyKind } from "@/api/types";
import { FormSection } from "@/components/form-section";
import { initialValue, type FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow } from "@/components/schema-form/validate";
import { strategyForm } from "@/components/strategy-form";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { SectionProps } from "./form-props";

export interface StrategySectionProps extends SectionProps {
  kinds: readonly StrategyKind[];
  models: readonly Model[];
}

/** Who proposes candidates, with the strategy's own options. */
export function StrategySection(props: StrategySectionProps) {
  const { kinds, models, draft, onDraftChanged, errors } = props;
  const { t } = useTranslation();
  const { kind, options } = draft.strategy;
  const schema = strategyForm(kinds.find((each) => each.kind === kind)?.search_schema, models);
  // A model that was chosen for one strategy suits the next one as well.
  const kept = options.model_id === undefined ? {} : { model_id: options.model_id };
  return (
    <FormSection
      title={t("optimizations.form.strategy")}
      description={t("optimizations.form.strategyHint")}
    >
      <Field
        required
        label={t("optimizations.form.kind")}
        error={errors["strategy.kind"] ?? errors.strategy}
      >
        {(control) => (
          <Select
            {...control}
            value={kind}
            options={kinds.map((each) => ({
              value: each.kind,
              label: each.title,
              description: each.description,
            }))}
            onValueChanged={(next) =>
              onDraftChanged({
                strategy: {
                  kind: next,
                  options:
                    kinds.find((each) => each.kind === next)?.uses_refiner === true ? kept : {},
                },
              })
            }
          />
        )}
      </Field>
      {schema === null ? null : (
        <SchemaForm
          columns={2}
          schema={schema}
          value={{ ...(initialValue(schema, schema) as FormValue), ...options }}
          errors={errorsBelow(errors, "strategy.options")}
          onValueChanged={(next) => onDraftChanged({ strategy: { kind, options: next } })}
        />
      )}
    </FormSection>
  );
}
