import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Model, ModelCapabilities, ModelChange } from "@/api/types";
import { checkLimits, modelLimitSchema, setLimits } from "@/components/call-limits/limit-schema";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import type { FormValue, JsonSchema } from "@/components/schema-form/schema";
import { validate, type FieldErrors } from "@/components/schema-form/validate";
import { i18n } from "@/lib/i18n";

export const PRICE_FIELDS = [
  "input_usd_per_million",
  "output_usd_per_million",
  "cached_input_usd_per_million",
] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

export interface ModelDraft {
  displayName: string;
  contextWindow: string;
  capabilities: ModelCapabilities;
  parameters: FormValue;
  limits: FormValue;
  /** Custom prices of the project, in place of the price table. */
  hasOwnPrices: boolean;
  prices: Record<PriceField, string>;
}

const PRICE = /^\d{1,5}(\.\d{1,6})?$/;
const HIGHEST_PRICE = 10_000;
const NAME_LIMIT = 100;
const LARGEST_WINDOW = 100_000_000;

export function draftOf(model: Model): ModelDraft {
  const { prices } = model;
  return {
    displayName: model.display_name,
    contextWindow: model.context_window === null ? "" : String(model.context_window),
    capabilities: model.capabilities,
    parameters: { ...model.parameters },
    limits: { ...model.limits },
    // Without a known price, only a custom one can be shown.
    hasOwnPrices: prices.source === "own" || prices.source === "unknown",
    prices: {
      input_usd_per_million: prices.input_usd_per_million ?? "",
      output_usd_per_million: prices.output_usd_per_million ?? "",
      cached_input_usd_per_million: prices.cached_input_usd_per_million ?? "",
    },
  };
}

function pricesOf(draft: ModelDraft): Required<ModelChange>["prices"] {
  const { input_usd_per_million, output_usd_per_million, cached_input_usd_per_million } =
    draft.prices;
  // An unknown price may stay unknown.
  if (!draft.hasOwnPrices || PRICE_FIELDS.every((name) => draft.prices[name].trim() === "")) {
    return null;
  }
  const cached = cached_input_usd_per_million.trim();
  return {
    input_usd_per_million: input_usd_per_million.trim(),
    output_usd_per_million: output_usd_per_million.trim(),
    cached_input_usd_per_million: cached === "" ? null : cached,
  };
}

function whole(draft: ModelDraft): Required<Omit<ModelChange, "is_enabled" | "is_default">> {
  const window = draft.contextWindow.trim();
  return {
    display_name: draft.displayName.trim(),
    context_window: window === "" ? null : Number(window),
    capabilities: draft.capabilities,
    parameters: setParameters(draft.parameters),
    limits: setLimits(draft.limits),
    prices: pricesOf(draft),
  };
}

/** Only the changed fields, so that concurrent changes are kept. */
export function toChange(draft: ModelDraft, model: Model): ModelChange {
  const [before, after] = [whole(draftOf(model)), whole(draft)];
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
    ),
  );
}

function checkPrices(draft: ModelDraft): FieldErrors {
  const errors: FieldErrors = {};
  if (pricesOf(draft) === null) {
    return errors;
  }
  for (const name of PRICE_FIELDS) {
    const text = draft.prices[name].trim();
    if (text === "" && name === "cached_input_usd_per_million") {
      continue;
    }
    if (!PRICE.test(text) || Number(text) > HIGHEST_PRICE) {
      errors[name] = i18n.t("models.prices.invalid", { max: HIGHEST_PRICE });
    }
  }
  return errors;
}

/** Errors by field: `display_name`, `context_window`, a price, or `parameters.` and a parameter. */
export function checkModel(draft: ModelDraft, parameters: JsonSchema): FieldErrors {
  const errors: FieldErrors = checkPrices(draft);
  const name = Array.from(draft.displayName.trim()).length;
  if (name === 0) {
    errors.display_name = i18n.t("validation.nameRequired");
  } else if (name > NAME_LIMIT) {
    errors.display_name = i18n.t("validation.nameTooLong", { limit: NAME_LIMIT });
  }
  const window = draft.contextWindow.trim();
  if (
    window !== "" &&
    !(/^\d+$/.test(window) && Number(window) >= 1 && Number(window) <= LARGEST_WINDOW)
  ) {
    errors.context_window = i18n.t("validation.wholeBetween", { min: 1, max: LARGEST_WINDOW });
  }
  for (const [path, message] of Object.entries(validate(draft.parameters, parameters))) {
    errors[`parameters.${path}`] = message;
  }
  return { ...errors, ...checkLimits(draft.limits, modelLimitSchema({})) };
}

export interface ModelRefusal {
  errors: FieldErrors;
  message: string | null;
}

const KNOWN = /^(display_name|context_window|(parameters|limits)\.[\w.]+)$/;

/** Server errors by form field. */
export function placeRefusal(error: unknown): ModelRefusal {
  const problem = asProblem(error);
  const errors: FieldErrors = {};
  const unplaced: string[] = [];
  for (const entry of problem.fields) {
    const price = PRICE_FIELDS.find((name) => entry.field === `prices.${name}`);
    if (price !== undefined) {
      errors[price] = entry.message;
    } else if (KNOWN.test(entry.field)) {
      errors[entry.field] = entry.message;
    } else {
      unplaced.push(entry.message);
    }
  }
  if (unplaced.length > 0) {
    return { errors, message: unplaced.join(" ") };
  }
  return { errors, message: Object.keys(errors).length > 0 ? null : problemMessage(problem) };
}

export function parameterErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith("parameters."))
      .map(([path, message]) => [path.slice("parameters.".length), message]),
  );
}
