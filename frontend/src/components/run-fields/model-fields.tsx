import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { MissingModels } from "@/components/missing-models";
import { ModelChecklist } from "@/components/model-chooser/model-checklist";
import { ModelSelect } from "@/components/model-chooser/model-select";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Field, FieldError } from "@/components/ui/field";

export interface ModelFieldsProps {
  slug: string;
  models: readonly Model[];
  chosen: readonly string[];
  onChosenChanged: (chosen: readonly string[]) => void;
  errors: FieldErrors;
}

/** Picker of the answering models. */
export function ModelFields({ slug, models, chosen, onChosenChanged, errors }: ModelFieldsProps) {
  if (!models.some((model) => model.is_enabled || chosen.includes(model.id))) {
    return (
      <MissingModels
        slug={slug}
        keepsPage
        onModelsAdded={(added) => onChosenChanged(added.map(({ id }) => id))}
      />
    );
  }
  return (
    <div className="grid gap-3">
      <ModelChecklist
        models={models}
        chosen={chosen}
        errorOf={(id) => (chosen.includes(id) ? errors[`models.${chosen.indexOf(id)}`] : undefined)}
        onChosenChanged={onChosenChanged}
      />
      {errors.models === undefined ? null : <FieldError>{errors.models}</FieldError>}
    </div>
  );
}

export interface FallbackFieldProps {
  models: readonly Model[];
  chosen: string | null;
  onChosenChanged: (chosen: string | null) => void;
  error: string | undefined;
}

/** Picker of the fallback model, used when a model fails permanently. */
export function FallbackField({ models, chosen, onChosenChanged, error }: FallbackFieldProps) {
  const { t } = useTranslation();
  return (
    <Field label={t("runs.new.fallback")} hint={t("runs.new.fallbackHint")} error={error}>
      {(control) => (
        <ModelSelect
          {...control}
          models={models}
          chosen={chosen}
          other={{ label: t("runs.new.noFallback"), onChosen: () => onChosenChanged(null) }}
          onChosen={onChosenChanged}
        />
      )}
    </Field>
  );
}
