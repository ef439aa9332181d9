import { i18n } from "./i18n";

/** Why a call to a model failed, in the words stored with it. */
const REASONS = [
  "rate_limit",
  "invalid_key",
  "quota",
  "timeout",
  "content_filter",
  "model_not_found",
  "context_length",
  "network",
  "provider",
  "malformed_response",
] as const;

/** A few words for a badge; an unknown reason is shown as it came. */
export function failureLabel(reason: string): string {
  const known = REASONS.find((candidate) => candidate === reason);
  return known === undefined ? reason : i18n.t(`failures.${known}`);
}
