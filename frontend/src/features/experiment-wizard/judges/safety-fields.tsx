import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { modelSource } from "@/lib/model-source";
import { StepSection } from "../step-section";
import type { Draft, StepProps } from "../wizard-step";

const CHECKS = ["pii", "jailbreak", "toxicity"] as const;
const NONE = "none";

/** Recognised by name: moderation models return findings instead of text. */
function isModeration(model: Model): boolean {
  return /moderation/i.test(model.provider_model);
}

export interface SafetyFieldsProps extends StepProps<"judges"> {
  models: readonly Model[];
}

/** Safety checks, which do not count in the score. */
export function SafetyFields({ models, part, errors, onChanged }: SafetyFieldsProps) {
  const { t } = useTranslation();
  const { safety } = part;
  const change = (next: Partial<Draft["judges"]["safety"]>) =>
    onChanged({ safety: { ...safety, ...next } });
  const moderators = models.filter(
    (model) => (model.is_enabled && isModeration(model)) || model.id === safety.moderation_model_id,
  );
  return (
    <StepSection title={t("wizard.judges.safetyTitle")} description={t("wizard.judges.safetyHint")}>
      <div className="grid gap-4 sm:grid-cols-2">
        {CHECKS.map((name) => (
          <Checkbox
            key={name}
            label={t(`wizard.judges.checks.${name}.label`)}
            description={t(`wizard.judges.checks.${name}.hint`)}
            checked={safety[name]}
            onCheckedChanged={(checked) => change({ [name]: checked })}
          />
        ))}
      </div>
      <Field
        label={t("wizard.judges.moderation")}
        hint={t(
          moderators.length === 0 ? "wizard.judges.noModeration" : "wizard.judges.moderationHint",
        )}
        error={errors["safety.moderation_model_id"]}
      >
        {(control) => (
          <Select
            {...control}
            disabled={moderators.length === 0}
            value={safety.moderation_model_id ?? NONE}
            options={[
              { value: NONE, label: t("wizard.judges.moderationOff") },
              ...moderators.map((model) => ({
                value: model.id,
                label: model.display_name,
                description: modelSource(model, moderators),
              })),
            ]}
            onValueChanged={(next) => change({ moderation_model_id: next === NONE ? null : next })}
          />
        )}
      </Field>
      <Switch
        label={t("wizard.judges.blocking")}
        description={t("wizard.judges.blockingHint")}
        checked={safety.is_blocking}
        onCheckedChanged={(is_blocking) => change({ is_blocking })}
      />
    </StepSection>
  );
}
