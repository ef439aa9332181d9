import { i18n } from "./i18n";

/** Reason codes of failed model calls, as stored. */
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
  "template",
  "needs_credential",
] as const;

const MALFORMATIONS = ["not_json", "no_response_tag"] as const;

/** What is wrong with a malformed answer, in a few words. */
export function malformationLabel(error: string | null): string {
  const known = MALFORMATIONS.find((candidate) => candidate === error);
  return i18n.t(known === undefined ? "runs.cell.malformed" : `runs.cell.malformations.${known}`);
}

/** Short label for a badge; an unknown reason is shown as is. */
export function failureLabel(reason: string): string {
  const known = REASONS.find((candidate) => candidate === reason);
  return known === undefined ? reason : i18n.t(`failures.${known}`);
}
