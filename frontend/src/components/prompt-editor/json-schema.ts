import type { JsonFinding, JsonPath } from "@/components/editor/json-values";
import { i18n } from "@/lib/i18n";

/**
 * Checks whether a value is shaped like a JSON Schema, to underline mistakes while typing. The
 * server validates against the full meta-schema on save.
 */
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

type Check = (value: unknown, path: JsonPath) => Iterable<JsonFinding>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function expects(message: () => string, holds: (value: unknown) => boolean): Check {
  return (value, path) => (holds(value) ? [] : [{ path, message: message() }]);
}

function isType(value: unknown): boolean {
  return typeof value === "string" && TYPES.has(value);
}

function isRegExp(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

const text = expects(
  () => i18n.t("prompts.schema.text"),
  (value) => typeof value === "string",
);
const number = expects(
  () => i18n.t("prompts.schema.number"),
  (value) => typeof value === "number",
);
const count = expects(
  () => i18n.t("prompts.schema.count"),
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
const flag = expects(
  () => i18n.t("prompts.schema.flag"),
  (value) => typeof value === "boolean",
);
const list = expects(() => i18n.t("prompts.schema.list"), Array.isArray);
const names = expects(
  () => i18n.t("prompts.schema.names"),
  (value) =>
    Array.isArray(value) &&
    value.every((name) => typeof name === "string") &&
    new Set(value).size === value.length,
);
const type = expects(
  () => i18n.t("prompts.schema.type", { types: [...TYPES].join(", ") }),
  (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
);
const pattern = expects(() => i18n.t("prompts.schema.pattern"), isRegExp);

const schema: Check = (value, path) => (typeof value === "boolean" ? [] : checkSchema(value, path));

const schemas: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? value.flatMap((item, index) => [...schema(item, [...path, index])])
    : [{ path, message: i18n.t("prompts.schema.schemas") }];

const schemasByName: Check = (value, path) =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, item]) => [...schema(item, [...path, name])])
    : [{ path, message: i18n.t("prompts.schema.byName") }];

const KEYWORDS: Record<string, Check> = {
  ...Object.fromEntries(
    ["title", "description", "format", "$ref", "$id", "$schema", "$comment"].map((key) => [
      key,
      text,
    ]),
  ),
  ...Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map((key) => [
      key,
      number,
    ]),
  ),
  ...Object.fromEntries(
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
      (key) => [key, count],
    ),
  ),
  ...Object.fromEntries(
    ["items", "additionalProperties", "not", "if", "then", "else", "contains"].map((key) => [
      key,
      schema,
    ]),
  ),
  ...Object.fromEntries(["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, schemas])),
  ...Object.fromEntries(
    ["properties", "patternProperties", "$defs", "dependentSchemas"].map((key) => [
      key,
      schemasByName,
    ]),
  ),
  uniqueItems: flag,
  enum: list,
  examples: list,
  required: names,
  type,
  pattern,
};

export function* checkSchema(value: unknown, path: JsonPath): Generator<JsonFinding> {
  if (!isRecord(value)) {
    yield { path, message: i18n.t("prompts.schema.object") };
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(KEYWORDS, key)) {
      yield* KEYWORDS[key]?.(item, [...path, key]) ?? [];
    }
  }
}
