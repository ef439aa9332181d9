import type { TFunction } from "i18next";
import type { QuestionGenerator } from "@/api/arena";

const ORIGINS = ["golden", "synthetic", "adversarial", "questions", "manual"] as const;

/** The model that wrote a question, otherwise the origin of its case. */
export function generatorName(
  generators: readonly QuestionGenerator[],
  key: string,
  t: TFunction,
): string {
  const generator = generators.find((each) => each.key === key);
  if (generator?.name != null) {
    return generator.name;
  }
  const origin = ORIGINS.find((each) => each === (generator?.origin ?? key));
  return origin === undefined ? t("questions.unknownOrigin") : t(`datasets.origins.${origin}`);
}
