import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatNumber } from "@/lib/format";
import { NumberField } from "@/components/number-field";
import { StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";
import { RANGES, readValues, VARIED, type Varied } from "./grid-values";

interface ValuesFieldProps {
  name: Varied;
  values: readonly number[];
  onValuesChanged: (values: number[]) => void;
  error: string | undefined;
}

/** List of values to vary; stored once all of them parse. */
function ValuesField({ name, values, onValuesChanged, error }: ValuesFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? values.join(", ");
  const { least, most } = RANGES[name];
  const own =
    readValues(text, name) === null
      ? t("wizard.models.valuesWrong", { least: formatNumber(least), most: formatNumber(most) })
      : undefined;
  return (
    <Field label={t(`models.parameters.${name}.label`)} error={own ?? error}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          className="tabular-nums"
          placeholder={t(`wizard.models.examples.${name}`)}
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            const next = readValues(event.target.value, name);
            if (next !== null) {
              onValuesChanged(next);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

/** Parameter grid and repeats; every model is called with all combinations. */
export function GridFields({ part, onChanged, errors }: StepProps<"models">) {
  const { t } = useTranslation();
  return (
    <>
      <StepSection title={t("wizard.models.gridTitle")} description={t("wizard.models.gridHint")}>
        <div className="grid items-start gap-5 sm:grid-cols-3">
          {VARIED.map((name) => (
            <ValuesField
              key={name}
              name={name}
              values={part.grid[name]}
              error={errors[`grid.${name}`]}
              onValuesChanged={(values) => onChanged({ grid: { ...part.grid, [name]: values } })}
            />
          ))}
        </div>
      </StepSection>
      <StepSection title={t("wizard.models.repeatsTitle")}>
        <NumberField
          isWhole
          label={t("wizard.models.repeats")}
          hint={t("wizard.models.repeatsHint")}
          unit={t("wizard.models.repeatsUnit", { count: part.repeats })}
          least={1}
          most={20}
          value={part.repeats}
          error={errors.repeats}
          onValueChanged={(repeats) => onChanged({ repeats })}
        />
      </StepSection>
    </>
  );
}
