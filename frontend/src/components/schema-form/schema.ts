import type { Model } from "@/api/types";

/** The subset of JSON Schema used by settings forms. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  examples?: unknown[];
  "x-order"?: number;
  /** Advanced setting: collapsed by default. */
  "x-advanced"?: boolean;
  /** Resource type whose id is the value, such as a model; rendered as a picker. */
  "x-choose"?: string;
  /** Code in this language: edited in a code editor, starting with the first example. */
  "x-editor"?: string;
  /** Labels of the values of `enum`, in the same order. */
  "x-labels"?: string[];
  /** The models whose ids are the values of `enum`. */
  "x-models"?: readonly Model[];
}

export type FormValue = Record<string, unknown>;

/** A schema with references resolved and `null` of optional values split off. */
export interface ResolvedSchema extends JsonSchema {
  nullable: boolean;
}

function follow(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  const target = name === undefined ? undefined : root.$defs?.[name];
  if (target === undefined || depth > 20) {
    return schema;
  }
  const { $ref: _, ...own } = schema;
  return { ...follow(target, root, depth + 1), ...own };
}

export function resolve(schema: JsonSchema, root: JsonSchema): ResolvedSchema {
  const followed = follow(schema, root, 0);
  const branches = followed.anyOf ?? followed.oneOf;
  if (branches !== undefined) {
    const { anyOf: _a, oneOf: _o, ...own } = followed;
    const real = branches.filter((branch) => branch.type !== "null");
    const first = real[0];
    if (first !== undefined) {
      const inner = resolve(first, root);
      return { ...inner, ...own, nullable: inner.nullable || real.length < branches.length };
    }
  }
  if (followed.allOf?.length === 1 && followed.allOf[0] !== undefined) {
    const { allOf: _, ...own } = followed;
    return { ...resolve(followed.allOf[0], root), ...own };
  }
  if (Array.isArray(followed.type)) {
    const type = followed.type.find((name) => name !== "null") ?? "string";
    return { ...followed, type, nullable: followed.type.includes("null") };
  }
  return { ...followed, nullable: false };
}

export type FieldKind =
  | "text"
  | "longText"
  | "code"
  | "secret"
  | "number"
  | "boolean"
  | "choice"
  | "constant"
  | "list"
  | "choices"
  | "group";

export function kindOf(schema: ResolvedSchema, root: JsonSchema): FieldKind {
  if (schema.const !== undefined) {
    return "constant";
  }
  if (schema.enum !== undefined) {
    return "choice";
  }
  switch (schema.type) {
    case "boolean":
      return "boolean";
    case "integer":
    case "number":
      return "number";
    case "object":
      return "group";
    case "array":
      return schema.items !== undefined && resolve(schema.items, root).enum !== undefined
        ? "choices"
        : "list";
    default:
      break;
  }
  if (schema["x-editor"] !== undefined) {
    return "code";
  }
  if (schema.format === "password" || schema.format === "secret" || schema.writeOnly === true) {
    return "secret";
  }
  if (schema.format === "uri") {
    return "text";
  }
  return schema.format === "text" || schema.format === "textarea" || (schema.maxLength ?? 0) > 255
    ? "longText"
    : "text";
}

export interface SchemaChoice {
  id: string;
  name: string;
}

/** The project's resources that a form offers. */
export interface SchemaChoices {
  models: readonly Model[];
  grader: readonly SchemaChoice[];
  version: readonly SchemaChoice[];
}

function choicesOf(kind: string | undefined, choices: SchemaChoices): JsonSchema {
  if (kind === "model") {
    const models = choices.models.filter(({ is_enabled }) => is_enabled);
    return { enum: models.map(({ id }) => id), "x-models": models };
  }
  if (kind === "grader" || kind === "version") {
    const offered = choices[kind];
    return { enum: offered.map(({ id }) => id), "x-labels": offered.map(({ name }) => name) };
  }
  return {};
}

/** Replaces fields with `x-choose` by enums of the project's resources. */
export function withChoices(schema: JsonSchema, choices: SchemaChoices): JsonSchema {
  const each = (schemas: Record<string, JsonSchema>) =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, inner]) => [name, withChoices(inner, choices)]),
    );
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: each(schema.properties) }),
    ...(schema.$defs === undefined ? {} : { $defs: each(schema.$defs) }),
    ...(schema.items === undefined ? {} : { items: withChoices(schema.items, choices) }),
    ...choicesOf(schema["x-choose"], choices),
  };
}

/** Display order: `x-order` first, then schema order. */
export function orderedProperties(
  schema: JsonSchema,
  root: JsonSchema,
): [string, ResolvedSchema][] {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]): [string, ResolvedSchema] => [name, resolve(property, root)])
    .map((entry, index) => ({ entry, rank: entry[1]["x-order"] ?? 1000 + index }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** Label of a field: "max_tokens" and "maxTokens" become "Max tokens". */
export function labelOf(name: string, schema: JsonSchema): string {
  if (schema.title !== undefined) {
    return schema.title;
  }
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Initial value of a new form. */
export function initialValue(schema: JsonSchema, root: JsonSchema): unknown {
  const resolved = resolve(schema, root);
  if (resolved.const !== undefined) {
    return resolved.const;
  }
  if (resolved.default !== undefined) {
    return resolved.default;
  }
  if (resolved.nullable) {
    return null;
  }
  switch (kindOf(resolved, root)) {
    case "group":
      return Object.fromEntries(
        orderedProperties(resolved, root).map(([name, property]) => [
          name,
          initialValue(property, root),
        ]),
      );
    case "list":
    case "choices":
      return [];
    case "boolean":
      return false;
    case "code":
      return resolved.examples?.[0] ?? "";
    case "number":
    case "choice":
      return null;
    default:
      return "";
  }
}
