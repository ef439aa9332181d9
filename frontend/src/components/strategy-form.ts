import type { Model } from "@/api/types";
import { withChoices, type JsonSchema } from "@/components/schema-form/schema";

/** The form of a strategy, with the project's models as choices; null without options. */
export function strategyForm(
  options: Record<string, unknown> | undefined,
  models: readonly Model[],
): JsonSchema | null {
  const schema = (options ?? {}) as JsonSchema;
  if (Object.keys(schema.properties ?? {}).length === 0) {
    return null;
  }
  return withChoices(schema, { models, grader: [], version: [] });
}
