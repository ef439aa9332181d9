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
  const enabled = models.filter(({ is_enabled }) => is_enabled);
  return withChoices(schema, {
    model: enabled.map((model) => ({ id: model.id, name: model.display_name })),
    grader: [],
    version: [],
  });
}
