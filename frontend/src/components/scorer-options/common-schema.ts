import { i18n } from "@/lib/i18n";

/** Schema of the options common to all scorers. */
export function commonSchema() {
  return {
    type: "object",
    properties: {
      weight: {
        type: "number",
        minimum: 0,
        title: i18n.t("runs.new.weight"),
        description: i18n.t("runs.new.weightHint"),
      },
      threshold: {
        type: ["number", "null"],
        minimum: 0,
        maximum: 10,
        title: i18n.t("runs.new.threshold"),
        description: i18n.t("runs.new.thresholdHint"),
      },
      isNegated: { type: "boolean", title: i18n.t("runs.new.negated"), "x-advanced": true },
    },
  };
}
