import { SchemaForm } from "@/components/schema-form/schema-form";
import { validate, type FieldErrors } from "@/components/schema-form/validate";
import { commonSchema } from "./common-schema";

export interface CommonValues {
  weight: number | null;
  /** From 0 to 1; null for no threshold. */
  threshold: number | null;
  isNegated: boolean;
}

/** The form shows scores out of 10; rounded, so that 7 does not become 0.7000000000000001. */
const rescaled = (value: number | null, factor: number) =>
  value === null ? null : Number((value * factor).toFixed(6));

export interface CommonFieldsProps {
  values: CommonValues;
  errors: FieldErrors;
  disabled?: boolean;
  onChanged: (values: CommonValues) => void;
}

/** Weight, threshold and direction: the options common to all scorers. */
export function CommonFields({ values, errors, disabled, onChanged }: CommonFieldsProps) {
  const { weight, threshold, isNegated } = values;
  const schema = commonSchema();
  const shown = { weight, threshold: rescaled(threshold, 10), isNegated };
  // Validated here, because the server's message would name its own limits, 0 and 1.
  const { threshold: outOfRange } = validate(shown, schema);
  return (
    <SchemaForm
      columns={2}
      schema={schema}
      value={shown}
      errors={outOfRange === undefined ? errors : { ...errors, threshold: outOfRange }}
      disabled={disabled ?? false}
      onValueChanged={(value) => {
        const changed = value as Partial<CommonValues>;
        onChanged({
          weight: changed.weight ?? null,
          threshold: rescaled(changed.threshold ?? null, 0.1),
          isNegated: changed.isNegated ?? false,
        });
      }}
    />
  );
}
