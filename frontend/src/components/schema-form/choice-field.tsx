import { useTranslation } from "react-i18next";
import { ModelChecklist } from "@/components/model-chooser/model-checklist";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldError } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { SchemaFieldProps } from "./field-props";
import { labelOf, resolve, type JsonSchema } from "./schema";

const NONE = "\u0000none";

/** Single choice from known values or from models. */
export function ChoiceField({
  path,
  label,
  schema,
  value,
  required,
  errors,
  disabled,
  onValueChanged,
}: SchemaFieldProps) {
  const { t } = useTranslation();
  const choices = schema.enum ?? [];
  const models = schema["x-models"];
  const isOptional = !required || schema.nullable;
  const options = [
    ...(isOptional ? [{ value: NONE, label: t("schemaForm.notSet") }] : []),
    ...choices.map((choice, index) => ({
      value: String(index),
      label: schema["x-labels"]?.[index] ?? String(choice).replaceAll("_", " "),
    })),
  ];
  const chosen = choices.indexOf(value);
  return (
    <Field label={label} hint={schema.description} required={required} error={errors[path]}>
      {(control) =>
        models === undefined ? (
          <Select
            {...control}
            disabled={disabled}
            placeholder={t("schemaForm.choose")}
            value={chosen >= 0 ? String(chosen) : isOptional ? NONE : ""}
            options={options}
            onValueChanged={(next) => onValueChanged(next === NONE ? null : choices[Number(next)])}
          />
        ) : (
          <ModelSelect
            {...control}
            disabled={disabled}
            models={models}
            chosen={typeof value === "string" && value !== "" ? value : null}
            other={
              isOptional
                ? { label: t("schemaForm.notSet"), onChosen: () => onValueChanged(null) }
                : undefined
            }
            onChosen={onValueChanged}
          />
        )
      }
    </Field>
  );
}

/** Multiple choice from known values. */
export function ChoicesField({
  path,
  label,
  schema,
  root,
  value,
  errors,
  disabled,
  onValueChanged,
}: SchemaFieldProps) {
  const items: JsonSchema = schema.items === undefined ? {} : resolve(schema.items, root);
  const { enum: choices = [], "x-labels": labels, "x-models": models } = items;
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const error = errors[path];
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {schema.description === undefined ? null : (
        <p className="text-xs text-ink-muted">{schema.description}</p>
      )}
      {models === undefined ? (
        choices.map((choice, index) => (
          <Checkbox
            key={String(choice)}
            label={labels?.[index] ?? labelOf(String(choice), {})}
            disabled={disabled}
            checked={chosen.includes(choice)}
            onCheckedChanged={(checked) =>
              onValueChanged(
                choices.filter((entry) => (entry === choice ? checked : chosen.includes(entry))),
              )
            }
          />
        ))
      ) : (
        <ModelChecklist
          models={models}
          chosen={chosen.filter((entry) => typeof entry === "string")}
          disabled={disabled}
          onChosenChanged={onValueChanged}
        />
      )}
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
