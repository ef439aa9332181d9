import { useState } from "react";
import { CodeEditor } from "@/components/editor/code-editor";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { ChoiceField, ChoicesField } from "./choice-field";
import type { SchemaFieldProps } from "./field-props";
import { kindOf } from "./schema";

const ADDRESS = { inputMode: "url", spellCheck: false, autoCapitalize: "none" } as const;

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** An emptied optional field is unset; an emptied required one stays an empty string. */
function TextField({
  path,
  label,
  schema,
  root,
  value,
  required,
  errors,
  disabled,
  onValueChanged,
}: SchemaFieldProps) {
  const kind = kindOf(schema, root);
  const onChange = (event: { target: { value: string } }) => {
    const text = event.target.value;
    onValueChanged(text === "" && schema.nullable ? null : text);
  };
  return (
    <Field label={label} hint={schema.description} required={required} error={errors[path]}>
      {(control) => {
        const shared = {
          ...control,
          value: asText(value),
          placeholder: asText(schema.examples?.[0]),
          disabled,
          onChange,
        };
        if (kind === "longText") {
          return <Textarea rows={5} {...shared} />;
        }
        return kind === "secret" ? (
          <PasswordInput autoComplete="off" {...shared} />
        ) : (
          <Input {...(schema.format === "uri" ? ADDRESS : {})} {...shared} />
        );
      }}
    </Field>
  );
}

const PYTHON = { kind: "python" } as const;

function CodeField(props: SchemaFieldProps) {
  const { path, label, schema, value, errors, disabled, onValueChanged } = props;
  const error = errors[path];
  return (
    <fieldset className="grid gap-1.5 sm:col-span-full">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <CodeEditor
        label={label}
        value={asText(value)}
        language={PYTHON}
        readOnly={disabled}
        onChanged={onValueChanged}
        className="max-h-128 min-h-64"
      />
      {schema.description === undefined ? null : (
        <p className="text-xs text-ink-muted">{schema.description}</p>
      )}
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

function NumberField({
  path,
  label,
  schema,
  value,
  required,
  errors,
  disabled,
  onValueChanged,
}: SchemaFieldProps) {
  // Keeps the text as typed: "1." on the way to "1.5" does not parse to the same text.
  const [text, setText] = useState(asText(value));
  const typed = text.trim() === "" ? null : Number(text);
  const shown = Object.is(typed, value ?? null) ? text : asText(value);
  return (
    <Field label={label} hint={schema.description} required={required} error={errors[path]}>
      {(control) => (
        <Input
          {...control}
          inputMode={schema.type === "integer" ? "numeric" : "decimal"}
          className="tabular-nums"
          placeholder={asText(schema.examples?.[0])}
          value={shown}
          disabled={disabled}
          onChange={(event) => {
            const next = event.target.value;
            setText(next);
            onValueChanged(next.trim() === "" ? null : Number(next));
          }}
        />
      )}
    </Field>
  );
}

export function ScalarField(props: SchemaFieldProps) {
  const { label, schema, root, value, disabled, onValueChanged } = props;
  const kind = kindOf(schema, root);
  if (kind === "secret" && props.renderSecret !== undefined) {
    return props.renderSecret(props);
  }
  switch (kind) {
    case "constant":
      return (
        <Field required label={label} hint={schema.description}>
          {(control) => <Input {...control} readOnly value={String(schema.const)} />}
        </Field>
      );
    case "boolean":
      return (
        <Switch
          label={label}
          description={schema.description}
          checked={value === true}
          disabled={disabled}
          onCheckedChanged={onValueChanged}
        />
      );
    case "code":
      return <CodeField {...props} />;
    case "number":
      return <NumberField {...props} />;
    case "choice":
      return <ChoiceField {...props} />;
    case "choices":
      return <ChoicesField {...props} />;
    default:
      return <TextField {...props} />;
  }
}
