import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Switch } from "@/components/ui/switch";
import { StepSection } from "../step-section";
import type { Draft, StepProps } from "../wizard-step";

const CHECKS = ["pii", "jailbreak", "toxicity"] as const;

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
          <ModelSelect
            {...control}
            disabled={moderators.length === 0}
            models={moderators}
            chosen={safety.moderation_model_id}
            other={{
              label: t("wizard.judges.moderationOff"),
              onChosen: () => change({ moderation_model_id: null }),
            }}
            onChosen={(moderation_model_id) => change({ moderation_model_id })}
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
