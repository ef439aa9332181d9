import type { ModelCapabilities, Model, ParameterRules } from "@/api/types";
import type { FormValue, JsonSchema } from "@/components/schema-form/schema";
import { formatNumber } from "@/lib/format";
import { i18n } from "@/lib/i18n";

export const PARAMETERS = [
  "temperature",
  "max_tokens",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "stop",
] as const;
export type Parameter = (typeof PARAMETERS)[number];

const INTEGERS: readonly Parameter[] = ["max_tokens", "seed"];
/** Larger bounds are not shown to users. */
const LARGEST_SHOWN_BOUND = 10_000_000;

function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function hintOf(name: Parameter, rules: ParameterRules | undefined): string {
  const parts = [i18n.t(`models.parameters.${name}.hint`)];
  if (rules !== undefined && name !== "stop" && rules[name].high <= LARGEST_SHOWN_BOUND) {
    const { low, high } = rules[name];
    const range = { low: formatNumber(low), high: formatNumber(high) };
    parts.unshift(i18n.t("models.parameters.range", range));
  }
  if (rules?.allows_both_samplings === false && name === "top_p") {
    parts.push(i18n.t("models.parameters.eitherSampling"));
  }
  return parts.join(" ");
}

export interface ParameterForm {
  /** Undefined until loaded. */
  rules: ParameterRules | undefined;
  capabilities: Partial<ModelCapabilities>;
  /** Values that are set, including ones the model may not accept. */
  current: FormValue;
  /** Values that apply to empty fields. */
  own?: Partial<Model["parameters"]> | undefined;
}

function accepts(capabilities: Partial<ModelCapabilities>, name: Parameter): boolean {
  return name === "max_tokens" || capabilities[name] !== false;
}

/** JSON Schema of the parameters a model accepts, and of set ones that it does not. */
export function parameterSchema({ rules, capabilities, current, own }: ParameterForm): JsonSchema {
  const field = (name: Parameter): JsonSchema => {
    const shared = {
      title: i18n.t(`models.parameters.${name}.label`),
      description: accepts(capabilities, name)
        ? hintOf(name, rules)
        : i18n.t("models.parameters.ignored"),
    };
    if (name === "stop") {
      return {
        ...shared,
        type: ["array", "null"],
        items: { type: "string", title: i18n.t("models.parameters.stop.entry"), minLength: 1 },
        ...(rules === undefined ? {} : { maxItems: rules.max_stops }),
      };
    }
    const ownValue = own?.[name];
    return {
      ...shared,
      type: [INTEGERS.includes(name) ? "integer" : "number", "null"],
      ...(rules === undefined ? {} : { minimum: rules[name].low, maximum: rules[name].high }),
      ...(ownValue === undefined || ownValue === null ? {} : { examples: [ownValue] }),
    };
  };
  const shown = PARAMETERS.filter((name) => accepts(capabilities, name) || !isUnset(current[name]));
  return {
    type: "object",
    properties: Object.fromEntries(shown.map((name) => [name, field(name)])),
  };
}

/** Only the set values; an empty list of stop sequences is omitted. */
export function setParameters(values: FormValue): Model["parameters"] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isUnset(value)));
}
