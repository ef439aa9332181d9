import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { MissingModels } from "@/components/missing-models";
import type { FieldErrors } from "@/components/schema-form/validate";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldError } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { modelSource } from "@/lib/model-source";

export interface ModelFieldsProps {
  slug: string;
  models: readonly Model[];
  chosen: readonly string[];
  onChosenChanged: (chosen: readonly string[]) => void;
  errors: FieldErrors;
}

/** Picker of the answering models. */
export function ModelFields({ slug, models, chosen, onChosenChanged, errors }: ModelFieldsProps) {
  const offered = models.filter((model) => model.is_enabled || chosen.includes(model.id));
  if (offered.length === 0) {
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
      <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {offered.map((model) => {
          const index = chosen.indexOf(model.id);
          return (
            <li key={model.id}>
              <Checkbox
                label={
                  <span className="flex flex-wrap items-center gap-2">
                    {model.display_name}
                    {model.is_simulated ? <SimulatedBadge /> : null}
                  </span>
                }
                description={modelSource(model, models)}
                checked={index >= 0}
                error={index < 0 ? undefined : errors[`models.${index}`]}
                onCheckedChanged={(checked) =>
                  onChosenChanged(
                    checked ? [...chosen, model.id] : chosen.filter((id) => id !== model.id),
                  )
                }
              />
            </li>
          );
        })}
      </ul>
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

const NO_FALLBACK = "none";

/** Picker of the fallback model, used when a model fails permanently. */
export function FallbackField({ models, chosen, onChosenChanged, error }: FallbackFieldProps) {
  const { t } = useTranslation();
  const offered = models.filter((model) => model.is_enabled || model.id === chosen);
  return (
    <Field label={t("runs.new.fallback")} hint={t("runs.new.fallbackHint")} error={error}>
      {(control) => (
        <Select
          {...control}
          value={chosen ?? NO_FALLBACK}
          options={[
            { value: NO_FALLBACK, label: t("runs.new.noFallback") },
            ...offered.map((model) => ({
              value: model.id,
              label: model.display_name,
              description: modelSource(model, models),
            })),
          ]}
          onValueChanged={(value) => onChosenChanged(value === NO_FALLBACK ? null : value)}
        />
      )}
    </Field>
  );
}
