import type { CallLimits, CredentialLimits } from "@/api/types";
import type { FormValue, JsonSchema } from "@/components/schema-form/schema";
import { validate, type FieldErrors } from "@/components/schema-form/validate";
import { i18n } from "@/lib/i18n";

const MODEL_LIMITS = ["timeout_seconds", "concurrency", "retries"] as const;
const CREDENTIAL_LIMITS = [...MODEL_LIMITS, "max_tokens"] as const;
type Limit = (typeof CREDENTIAL_LIMITS)[number];

const RANGES: Record<Limit, [number, number]> = {
  timeout_seconds: [1, 3600],
  concurrency: [1, 1000],
  retries: [0, 10],
  max_tokens: [1, 100_000],
};

function schemaOf(names: readonly Limit[], otherwise: CredentialLimits): JsonSchema {
  const field = (name: Limit): JsonSchema => {
    const usual = otherwise[name];
    const [minimum, maximum] = RANGES[name];
    return {
      type: [name === "timeout_seconds" ? "number" : "integer", "null"],
      title: i18n.t(`limits.${name}.label`),
      description: i18n.t(`limits.${name}.hint`),
      minimum,
      maximum,
      ...(usual === null || usual === undefined ? {} : { examples: [usual] }),
    };
  };
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, field(name)])),
  };
}

/** Limits of a credential; `otherwise` apply to empty fields and are shown in them. */
export function credentialLimitSchema(otherwise: CredentialLimits): JsonSchema {
  return schemaOf(CREDENTIAL_LIMITS, otherwise);
}

/** Limits of a model. Its max tokens are among its parameters. */
export function modelLimitSchema(otherwise: CredentialLimits): JsonSchema {
  return schemaOf(MODEL_LIMITS, otherwise);
}

/** Only the limits that are set. */
export function setLimits(values: FormValue): CallLimits & CredentialLimits {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The narrower limits, completed by the wider ones. */
export function completed(
  narrow: CredentialLimits | undefined,
  wide: CredentialLimits | undefined,
): CredentialLimits {
  return { ...wide, ...setLimits({ ...narrow }) };
}

/** Errors by field, each with the prefix `limits.` */
export function checkLimits(values: FormValue, schema: JsonSchema): FieldErrors {
  return Object.fromEntries(
    Object.entries(validate(values, schema)).map(([path, message]) => [`limits.${path}`, message]),
  );
}

/** Inverse of the prefix of `checkLimits`. */
export function limitErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith("limits."))
      .map(([path, message]) => [path.slice("limits.".length), message]),
  );
}
