import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { FieldError } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import type { SchemaFieldProps } from "./field-props";
import { ScalarField } from "./scalar-field";
import {
  initialValue,
  kindOf,
  labelOf,
  orderedProperties,
  resolve,
  type FormValue,
  type JsonSchema,
  type ResolvedSchema,
} from "./schema";
import type { FieldErrors } from "./validate";

function asRecord(value: unknown): FormValue {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as FormValue)
    : {};
}

interface GroupFieldsProps extends SchemaFieldProps {
  /** Selects fields; all by default. */
  shows?: (schema: ResolvedSchema) => boolean;
}

function GroupFields(props: GroupFieldsProps) {
  const { path, schema, root, value, errors, disabled, onValueChanged, renderSecret } = props;
  const record = asRecord(value);
  return orderedProperties(schema, root)
    .filter(([, property]) => props.shows?.(property) ?? true)
    .map(([name, property]) => (
      <SchemaField
        key={name}
        path={path === "" ? name : `${path}.${name}`}
        label={labelOf(name, property)}
        schema={property}
        root={root}
        value={record[name]}
        required={schema.required?.includes(name) ?? false}
        errors={errors}
        disabled={disabled}
        onValueChanged={(next) => onValueChanged({ ...record, [name]: next })}
        renderSecret={renderSecret}
      />
    ));
}

function GroupField(props: SchemaFieldProps) {
  const { label, schema, errors, path } = props;
  const error = errors[path];
  return (
    <fieldset className="grid gap-4 rounded-lg border border-border p-4">
      <legend className="px-1.5 text-sm font-medium">{label}</legend>
      {schema.description === undefined ? null : (
        <p className="text-xs text-ink-muted">{schema.description}</p>
      )}
      <GroupFields {...props} />
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

function ListField(props: SchemaFieldProps) {
  const { path, label, schema, root, value, errors, disabled, onValueChanged } = props;
  const { t } = useTranslation();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const itemSchema = schema.items ?? { type: "string" };
  const item = resolve(itemSchema, root);
  const error = errors[path];
  const full = schema.maxItems !== undefined && entries.length >= schema.maxItems;
  return (
    <fieldset className="grid gap-3 rounded-lg border border-border p-4">
      <legend className="px-1.5 text-sm font-medium">{label}</legend>
      {schema.description === undefined ? null : (
        <p className="text-xs text-ink-muted">{schema.description}</p>
      )}
      {entries.map((entry, index) => (
        <div key={index} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <SchemaField
              path={`${path}.${index}`}
              label={t("schemaForm.entry", { label: labelOf(label, item), number: index + 1 })}
              schema={item}
              root={root}
              value={entry}
              required
              errors={errors}
              disabled={disabled}
              renderSecret={props.renderSecret}
              onValueChanged={(next) =>
                onValueChanged(entries.map((old, at) => (at === index ? next : old)))
              }
            />
          </div>
          <Button
            variant="ghost"
            iconOnly
            disabled={disabled}
            aria-label={t("schemaForm.remove", { label, number: index + 1 })}
            onClick={() => onValueChanged(entries.filter((_, at) => at !== index))}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ))}
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={disabled || full}
        onClick={() => onValueChanged([...entries, initialValue(itemSchema, root)])}
      >
        <Plus aria-hidden />
        {t("schemaForm.add")} <span className="sr-only">{label}</span>
      </Button>
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

function SchemaField(props: SchemaFieldProps) {
  switch (kindOf(props.schema, props.root)) {
    case "group":
      return <GroupField {...props} />;
    case "list":
      return <ListField {...props} />;
    default:
      return <ScalarField {...props} />;
  }
}

const isAdvanced = (schema: ResolvedSchema) => schema["x-advanced"] === true;

export interface SchemaFormProps {
  schema: JsonSchema;
  value: FormValue;
  onValueChanged: (value: FormValue) => void;
  /** By dotted path; from `validate` or from the server. */
  errors?: FieldErrors;
  disabled?: boolean;
  /** Two columns where there is room. */
  columns?: 1 | 2;
  renderSecret?: (field: SchemaFieldProps) => ReactNode;
}

/** Form for an object described by a JSON Schema, such as the settings of a plug-in. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, value, onValueChanged, errors = {}, disabled = false, columns = 1 } = props;
  const { t } = useTranslation();
  const resolved = resolve(schema, schema);
  const fields = orderedProperties(resolved, schema);
  if (fields.length === 0) {
    return <p className="text-sm text-ink-muted">{t("schemaForm.nothing")}</p>;
  }
  const advanced = fields.filter(([, property]) => isAdvanced(property)).map(([name]) => name);
  const wrong = advanced.some((name) => errors[name] !== undefined);
  const shared = {
    path: "",
    label: "",
    schema: resolved,
    root: schema,
    value,
    required: true,
    errors,
    disabled,
    onValueChanged: (next: unknown) => onValueChanged(asRecord(next)),
    renderSecret: props.renderSecret,
  };
  const layout = cn(
    "grid items-start gap-5",
    columns === 2 && "sm:grid-cols-2 [&>fieldset]:sm:col-span-2",
  );
  return (
    <div className={layout}>
      <GroupFields {...shared} shows={(property) => !isAdvanced(property)} />
      {advanced.length === 0 ? null : (
        <Disclosure
          label={t("schemaForm.advanced")}
          forcedOpen={wrong}
          className={columns === 2 ? "sm:col-span-2" : undefined}
        >
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <GroupFields {...shared} shows={isAdvanced} />
          </div>
        </Disclosure>
      )}
    </div>
  );
}
