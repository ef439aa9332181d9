import type { TFunction } from "i18next";
import type { SuggestionSummary } from "@/api/types";

/** Whether a person proposed it for a prompt, outside of experiments. */
export function isProposal(
  suggestion: Pick<SuggestionSummary, "experiment_id" | "origin">,
): boolean {
  return suggestion.experiment_id === null && suggestion.origin === "person";
}

type Named = Pick<
  SuggestionSummary,
  "experiment_id" | "experiment_name" | "optimization_name" | "origin" | "prompt_name"
>;

/** The experiment, the optimization or the prompt that a suggestion belongs to. */
export function nameOf(suggestion: Named, t: TFunction): string {
  if (isProposal(suggestion)) {
    return suggestion.prompt_name ?? t("reviews.deletedPrompt");
  }
  return (
    suggestion.experiment_name ?? suggestion.optimization_name ?? t("reviews.deletedOptimization")
  );
}
