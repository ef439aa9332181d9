import { i18n } from "@/lib/i18n";
import { kindOf, orderedProperties, resolve, type JsonSchema, type ResolvedSchema } from "./schema";

/** Messages by dotted field, such as `judges.0.weight`. */
export type FieldErrors = Record<string, string>;

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The values that are set. */
export function filledOnly(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function checkNumber(value: unknown, schema: ResolvedSchema): string | null {
  if (typeof value !== "number" || Number.isNaN(value)) {
    return i18n.t("schemaForm.number");
  }
  if (schema.type === "integer" && !Number.isInteger(value)) {
    return i18n.t("schemaForm.integer");
  }
  if (schema.minimum !== undefined && value < schema.minimum) {
    return i18n.t("schemaForm.minimum", { limit: schema.minimum });
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    return i18n.t("schemaForm.maximum", { limit: schema.maximum });
  }
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) {
    return i18n.t("schemaForm.above", { limit: schema.exclusiveMinimum });
  }
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) {
    return i18n.t("schemaForm.below", { limit: schema.exclusiveMaximum });
  }
  return null;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // Patterns the browser cannot compile are left to the server.
  }
}

function checkText(value: unknown, schema: ResolvedSchema): string | null {
  const text = typeof value === "string" ? value : "";
  const length = Array.from(text).length;
  if (schema.minLength !== undefined && length < schema.minLength) {
    return i18n.t("schemaForm.minLength", { limit: schema.minLength });
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return i18n.t("schemaForm.maxLength", { limit: schema.maxLength });
  }
  if (schema.pattern !== undefined && !matches(schema.pattern, text)) {
    return i18n.t("schemaForm.pattern");
  }
  return null;
}

function checkList(value: unknown, schema: ResolvedSchema): string | null {
  const count = Array.isArray(value) ? value.length : 0;
  if (schema.minItems !== undefined && count < schema.minItems) {
    return i18n.t("schemaForm.minItems", { count: schema.minItems });
  }
  if (schema.maxItems !== undefined && count > schema.maxItems) {
    return i18n.t("schemaForm.maxItems", { count: schema.maxItems });
  }
  return null;
}

function join(path: string, part: string | number): string {
  return path === "" ? String(part) : `${path}.${part}`;
}

function walk(
  value: unknown,
  schema: ResolvedSchema,
  root: JsonSchema,
  path: string,
  required: boolean,
  errors: FieldErrors,
): void {
  const kind = kindOf(schema, root);
  if (isEmpty(value) && kind !== "group" && kind !== "list" && kind !== "choices") {
    if (required && !schema.nullable) {
      errors[path] = i18n.t("schemaForm.required");
    }
    return;
  }
  if (kind === "group") {
    if (value === null && schema.nullable) {
      return;
    }
    const record = asRecord(value);
    for (const [name, property] of orderedProperties(schema, root)) {
      const needed = schema.required?.includes(name) ?? false;
      walk(record[name], property, root, join(path, name), needed, errors);
    }
    return;
  }
  const message =
    kind === "number"
      ? checkNumber(value, schema)
      : kind === "list" || kind === "choices"
        ? value === null && schema.nullable
          ? null
          : checkList(value, schema)
        : kind === "text" || kind === "longText" || kind === "code" || kind === "secret"
          ? checkText(value, schema)
          : null;
  if (message !== null) {
    errors[path] = message;
  }
  if (kind === "list" && Array.isArray(value) && schema.items !== undefined) {
    const item = resolve(schema.items, root);
    value.forEach((entry, index) => walk(entry, item, root, join(path, index), true, errors));
  }
}

/** Client-side validation errors. */
export function validate(value: unknown, schema: JsonSchema): FieldErrors {
  const errors: FieldErrors = {};
  walk(value, resolve(schema, schema), schema, "", true, errors);
  return errors;
}

/** Errors below a field, with paths relative to it. */
export function errorsBelow(errors: FieldErrors, prefix: string): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(`${prefix}.`))
      .map(([path, message]) => [path.slice(prefix.length + 1), message]),
  );
}
