import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import type { JsonSchema, FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Checkbox } from "@/components/ui/checkbox";
import { Disclosure } from "@/components/ui/disclosure";
import { FieldError } from "@/components/ui/field";
import { i18n } from "@/lib/i18n";

export interface ModelFieldsProps {
  slug: string;
  models: readonly Model[];
  chosen: readonly string[];
  onChosenChanged: (chosen: readonly string[]) => void;
  errors: FieldErrors;
}

/** Which models answer. */
export function ModelFields({ slug, models, chosen, onChosenChanged, errors }: ModelFieldsProps) {
  const { t } = useTranslation();
  const offered = models.filter((model) => model.is_enabled || chosen.includes(model.id));
  if (offered.length === 0) {
    return (
      <p className="text-sm text-ink-muted">
        {t("runs.new.noModels")}{" "}
        <Link to="/p/$slug/models" params={{ slug }} className="text-accent-ink underline">
          {t("runs.new.addModels")}
        </Link>
      </p>
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
                description={model.provider_title}
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

/** Ranges are the provider's to check: the models of a run may differ in them. */
function parameterSchema(): JsonSchema {
  const field = (name: "temperature" | "max_tokens" | "top_p" | "seed", type: string) => ({
    type: [type, "null"],
    title: i18n.t(`models.parameters.${name}.label`),
    description: i18n.t(`models.parameters.${name}.hint`),
  });
  return {
    type: "object",
    properties: {
      temperature: { ...field("temperature", "number"), minimum: 0, maximum: 2 },
      max_tokens: { ...field("max_tokens", "integer"), minimum: 1 },
      top_p: { ...field("top_p", "number"), minimum: 0, maximum: 1 },
      seed: field("seed", "integer"),
    },
  };
}

export interface ParameterFieldsProps {
  value: FormValue;
  onValueChanged: (value: FormValue) => void;
  errors: FieldErrors;
}

export function ParameterFields({ value, onValueChanged, errors }: ParameterFieldsProps) {
  const { t } = useTranslation();
  return (
    <Disclosure label={t("runs.new.parameters")} forcedOpen={Object.keys(errors).length > 0}>
      <div className="grid gap-4">
        <p className="text-xs text-ink-muted">{t("runs.new.parametersHint")}</p>
        <SchemaForm
          columns={2}
          schema={parameterSchema()}
          value={value}
          errors={errors}
          onValueChanged={onValueChanged}
        />
      </div>
    </Disclosure>
  );
}
