import type { TFunction } from "i18next";
import type { SuggestionSummary } from "@/api/types";

/** The experiment or the optimization that a suggestion comes from. */
export function nameOf(
  suggestion: Pick<SuggestionSummary, "experiment_name" | "optimization_name">,
  t: TFunction,
): string {
  return (
    suggestion.experiment_name ?? suggestion.optimization_name ?? t("reviews.deletedOptimization")
  );
}
