import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FormValue, JsonSchema } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { i18n } from "@/lib/i18n";

const MOST_SETS = 10;

/** Without ranges: the models of a run may differ in them, and the provider checks them. */
function parameterSchema(): JsonSchema {
  const field = (name: "temperature" | "max_tokens" | "top_p" | "seed", type: string) => ({
    type: [type, "null"],
    title: i18n.t(`models.parameters.${name}.label`),
    description: i18n.t(`models.parameters.${name}.hint`),
  });
  return {
    type: "object",
    properties: {
      temperature: { ...field("temperature", "number"), minimum: 0, maximum: 2 },
      max_tokens: { ...field("max_tokens", "integer"), minimum: 1 },
      top_p: { ...field("top_p", "number"), minimum: 0, maximum: 1 },
      seed: field("seed", "integer"),
    },
  };
}

interface ParameterSetProps {
  number: number;
  value: FormValue;
  onValueChanged: (value: FormValue) => void;
  onRemoved: (() => void) | null;
  errors: FieldErrors;
}

function ParameterSet({ number, value, onValueChanged, onRemoved, errors }: ParameterSetProps) {
  const { t } = useTranslation();
  const form = (
    <SchemaForm
      columns={2}
      schema={parameterSchema()}
      value={value}
      errors={errors}
      onValueChanged={onValueChanged}
    />
  );
  if (onRemoved === null) {
    return form;
  }
  return (
    <fieldset className="grid gap-3 rounded-lg border border-border p-4">
      <legend className="px-1 text-xs font-medium text-ink-muted">
        {t("runs.new.parameterSet", { number })}
      </legend>
      {form}
      <Button variant="ghost" size="sm" className="justify-self-start" onClick={onRemoved}>
        <Trash2 aria-hidden />
        {t("runs.new.removeParameterSet", { number })}
      </Button>
    </fieldset>
  );
}

export interface ParameterFieldsProps {
  sets: readonly FormValue[];
  onSetsChanged: (sets: readonly FormValue[]) => void;
  errors: FieldErrors;
}

/** Parameter sets; several are compared side by side. */
export function ParameterFields({ sets, onSetsChanged, errors }: ParameterFieldsProps) {
  const { t } = useTranslation();
  return (
    <Disclosure label={t("runs.new.parameters")} forcedOpen={Object.keys(errors).length > 0}>
      <div className="grid gap-4">
        <p className="text-xs text-ink-muted">{t("runs.new.parametersHint")}</p>
        {sets.map((value, index) => (
          <ParameterSet
            // Sets have no id but their index.
            key={index}
            number={index + 1}
            value={value}
            errors={errorsBelow(errors, String(index))}
            onValueChanged={(next) => onSetsChanged(sets.with(index, next))}
            onRemoved={sets.length === 1 ? null : () => onSetsChanged(sets.toSpliced(index, 1))}
          />
        ))}
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          disabled={sets.length >= MOST_SETS}
          onClick={() => onSetsChanged([...sets, sets.at(-1) ?? {}])}
        >
          <Plus aria-hidden />
          {t("runs.new.addParameterSet")}
        </Button>
      </div>
    </Disclosure>
  );
}
