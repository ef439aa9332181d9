import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Credential, CredentialRequest, ProviderKind } from "@/api/types";
import {
  checkLimits,
  credentialLimitSchema,
  setLimits,
} from "@/components/call-limits/limit-schema";
import {
  initialValue,
  orderedProperties,
  resolve,
  type FormValue,
  type JsonSchema,
} from "@/components/schema-form/schema";
import { isEmpty, validate, type FieldErrors } from "@/components/schema-form/validate";
import { i18n } from "@/lib/i18n";

/** A secret being entered: the value itself, or the name of an environment variable. */
export interface SecretDraft {
  source: "value" | "env";
  text: string;
}

export interface CredentialDraft {
  label: string;
  /** By field of the provider's form; secret fields hold SecretDrafts. */
  fields: FormValue;
  isDefault: boolean;
  limits: FormValue;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
const LABEL_LIMIT = 100;
const TEST_CODES = ["INVALID_KEY", "NETWORK_ERROR", "QUOTA_EXCEEDED", "PROVIDER_ERROR"] as const;
export type TestCode = (typeof TEST_CODES)[number];

export const formOf = (provider: ProviderKind): JsonSchema => provider.form;

export function asSecret(value: unknown): SecretDraft {
  return typeof value === "object" && value !== null && "source" in value
    ? (value as SecretDraft)
    : { source: "value", text: "" };
}

/** First free label: "OpenAI", or "OpenAI 2" when it is taken. */
export function freeLabel(title: string, taken: readonly string[]): string {
  let label = title;
  for (let number = 2; taken.includes(label); number += 1) {
    label = `${title} ${number}`;
  }
  return label;
}

export function newDraft(provider: ProviderKind, taken: readonly string[]): CredentialDraft {
  const form = formOf(provider);
  const fields = initialValue(form, form) as FormValue;
  for (const name of provider.secret_fields) {
    fields[name] = { source: "value", text: "" } satisfies SecretDraft;
  }
  return { label: freeLabel(provider.title, taken), fields, isDefault: false, limits: {} };
}

/** Draft of a stored credential: everything except secrets stored by Edison. */
export function draftOf(provider: ProviderKind, credential: Credential): CredentialDraft {
  const { fields } = newDraft(provider, []);
  for (const name of provider.secret_fields) {
    const env = credential.secrets[name]?.env;
    if (env) {
      fields[name] = { source: "env", text: env } satisfies SecretDraft;
    }
  }
  const label = credential.label;
  return {
    label,
    fields: { ...fields, ...credential.settings },
    isDefault: credential.is_default,
    limits: { ...credential.limits },
  };
}

/** Request fields from the provider's form, without empty ones. */
export function toFields(
  draft: CredentialDraft,
  provider: ProviderKind,
): Required<Pick<CredentialRequest, "settings" | "secrets">> {
  const settings: FormValue = {};
  const secrets: Required<CredentialRequest>["secrets"] = {};
  for (const [name, value] of Object.entries(draft.fields)) {
    if (provider.secret_fields.includes(name)) {
      const { source, text } = asSecret(value);
      if (text.trim() !== "") {
        secrets[name] = source === "env" ? { env: text.trim() } : { value: text };
      }
    } else if (!isEmpty(value)) {
      settings[name] = typeof value === "string" ? value.trim() : value;
    }
  }
  return { settings, secrets };
}

export function toRequest(draft: CredentialDraft, provider: ProviderKind): CredentialRequest {
  return {
    provider: provider.key,
    label: draft.label.trim(),
    ...toFields(draft, provider),
    limits: setLimits(draft.limits),
    is_default: draft.isDefault,
  };
}

function checkLabel(label: string): string | null {
  const length = Array.from(label.trim()).length;
  if (length === 0) {
    return i18n.t("validation.nameRequired");
  }
  return length > LABEL_LIMIT ? i18n.t("validation.nameTooLong", { limit: LABEL_LIMIT }) : null;
}

/** Client-side errors by field. */
export function checkDraft(draft: CredentialDraft, provider: ProviderKind): FieldErrors {
  const plain = { ...draft.fields };
  const names: FieldErrors = {};
  for (const name of provider.secret_fields) {
    const { source, text } = asSecret(draft.fields[name]);
    plain[name] = text.trim();
    if (source === "env" && text.trim() !== "" && !VARIABLE_NAME.test(text.trim())) {
      names[name] = i18n.t("providers.secret.badName");
    }
  }
  const label = checkLabel(draft.label);
  return {
    ...(label === null ? {} : { label }),
    ...validate(plain, formOf(provider)),
    ...checkLimits(draft.limits, credentialLimitSchema(provider.limits)),
    ...names,
  };
}

export interface Refusal {
  errors: FieldErrors;
  /** Error without a field; `code` is the kind of failed test. */
  alert: { code: TestCode | null; message: string } | null;
}

/** Server errors by form field. */
export function placeRefusal(
  error: unknown,
  draft: CredentialDraft,
  provider: ProviderKind,
): Refusal {
  const problem = asProblem(error);
  const form = formOf(provider);
  const known = new Set(["label", ...orderedProperties(resolve(form, form), form).map(([n]) => n)]);
  const errors: FieldErrors = {};
  const unplaced: string[] = [];
  for (const entry of problem.fields) {
    const name = entry.field.replace(/^(settings|secrets)\./, "").split(".")[0] ?? "";
    if (known.has(name)) {
      errors[name] = [errors[name], entry.message].filter(Boolean).join(" ");
    } else {
      unplaced.push(entry.message);
    }
  }
  if (Object.keys(errors).length > 0 && unplaced.length === 0) {
    return { errors, alert: null };
  }
  const code = TEST_CODES.find((candidate) => candidate === problem.code) ?? null;
  if (code === "INVALID_KEY") {
    for (const name of provider.secret_fields) {
      if (asSecret(draft.fields[name]).text !== "") {
        errors[name] = i18n.t("providers.secret.refused");
      }
    }
  }
  const message = unplaced.length > 0 ? unplaced.join(" ") : problemMessage(problem);
  return { errors, alert: { code, message } };
}
