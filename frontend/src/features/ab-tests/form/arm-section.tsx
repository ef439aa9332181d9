import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Model, PromptSummary } from "@/api/types";
import { versionChoicesQuery } from "@/api/version-choices";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { ParametersDisclosure } from "@/components/model-parameters/parameters-disclosure";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { Field, FieldError } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { modelSource } from "@/lib/model-source";
import type { ArmDraft, ArmName } from "./ab-test-draft";

export interface ArmSectionProps {
  slug: string;
  name: ArmName;
  arm: ArmDraft;
  prompts: readonly PromptSummary[];
  models: readonly Model[];
  /** Errors of the whole form. */
  errors: FieldErrors;
  onArmChanged: (arm: ArmDraft) => void;
}

function PromptFields(props: ArmSectionProps) {
  const { slug, arm, prompts, onArmChanged } = props;
  const { t } = useTranslation();
  const versions = useQuery({
    ...versionChoicesQuery(slug, arm.promptId),
    enabled: arm.promptId !== "",
  });
  const errors = errorsBelow(props.errors, props.name);
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Field required label={t("abTests.form.prompt")} error={errors.prompt_id}>
        {(control) => (
          <Select
            {...control}
            placeholder={t("schemaForm.choose")}
            value={arm.promptId}
            options={prompts.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChanged={(promptId) => onArmChanged({ ...arm, promptId, versionId: "" })}
          />
        )}
      </Field>
      <Field required label={t("abTests.form.version")} error={errors.version_id}>
        {(control) => (
          <Select
            {...control}
            placeholder={t("schemaForm.choose")}
            disabled={arm.promptId === ""}
            value={arm.versionId}
            options={(versions.data ?? []).map(({ id, label, is_production }) => ({
              value: id,
              label,
              ...(is_production ? { description: t("abTests.form.production") } : {}),
            }))}
            onValueChanged={(versionId) => onArmChanged({ ...arm, versionId })}
          />
        )}
      </Field>
      <LoadError queries={[versions]} />
    </div>
  );
}

/** Prompt version, model and parameters of one arm. */
export function ArmSection(props: ArmSectionProps) {
  const { slug, name, arm, models, onArmChanged } = props;
  const { t } = useTranslation();
  const errors = errorsBelow(props.errors, name);
  const model = models.find(({ id }) => id === arm.modelId);
  return (
    <FormSection title={t(`abTests.${name}`)} description={t(`abTests.form.${name}Hint`)}>
      <PromptFields {...props} />
      <div className="grid gap-2">
        <Field required label={t("abTests.form.model")} error={errors.model_id}>
          {(control) => (
            <Select
              {...control}
              placeholder={t("schemaForm.choose")}
              value={arm.modelId}
              options={models
                .filter(({ id, is_enabled }) => is_enabled || id === arm.modelId)
                .map((model) => ({
                  value: model.id,
                  label: model.display_name,
                  description: modelSource(model, models),
                }))}
              onValueChanged={(modelId) => onArmChanged({ ...arm, modelId })}
            />
          )}
        </Field>
        {model === undefined ? null : (
          <ParametersDisclosure
            slug={slug}
            model={model}
            parameters={arm.parameters}
            errors={errorsBelow(errors, "parameters")}
            onParametersChanged={(parameters) => onArmChanged({ ...arm, parameters })}
          />
        )}
      </div>
      {props.errors[name] === undefined ? null : <FieldError>{props.errors[name]}</FieldError>}
    </FormSection>
  );
}
