import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import { PriceText } from "@/components/model-prices/price-text";
import type { FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow, validate, type FieldErrors } from "@/components/schema-form/validate";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Disclosure } from "@/components/ui/disclosure";
import { FieldError } from "@/components/ui/field";
import { type Choice, type IndexedChoice } from "./model-choices";

interface ParametersProps {
  slug: string;
  model: Model;
  choice: Choice;
  errors: FieldErrors;
  onChoiceChanged: (choice: Choice) => void;
}

/** Number of parameters that differ from the model's own, as text. */
function useParameterWords({ parameters }: Choice): string {
  const { t } = useTranslation();
  const set = setParameters(parameters ?? {});
  const names = Object.entries(set).map(([name, value]) => {
    const label = t(`models.parameters.${name as "temperature"}.label`);
    return `${label} ${Array.isArray(value) ? value.join(" ") : String(value)}`;
  });
  return names.length === 0 ? t("wizard.models.ownParameters") : names.join(" · ");
}

function Parameters({ slug, model, choice, errors, onChoiceChanged }: ParametersProps) {
  const current = (choice.parameters ?? {}) as FormValue;
  const { schema } = useParameterSchema(slug, model, { current, showsOwn: true });
  const words = useParameterWords(choice);
  return (
    <Disclosure label={words} forcedOpen={Object.keys(errors).length > 0}>
      <SchemaForm
        columns={2}
        schema={schema}
        value={current}
        errors={{ ...errors, ...validate(current, schema) }}
        onValueChanged={(value) => {
          const parameters = setParameters(value);
          const isOwn = Object.keys(parameters).length === 0;
          onChoiceChanged({ ...choice, parameters: isOwn ? null : parameters });
        }}
      />
    </Disclosure>
  );
}

export interface ModelRowProps {
  slug: string;
  model: Model;
  /** Where the model comes from. */
  source: string;
  /** All configurations of this model. */
  chosen: readonly IndexedChoice[];
  isCostly: boolean;
  /** By path: `models.2.parameters.temperature`. */
  errors: FieldErrors;
  onCheckedChanged: (checked: boolean) => void;
  onChoiceChanged: (index: number, choice: Choice) => void;
  onChoiceAdded: () => void;
  onChoiceRemoved: (index: number) => void;
}

/** A model with its price and, when chosen, its parameters. */
export function ModelRow(props: ModelRowProps) {
  const { slug, model, chosen, isCostly, errors } = props;
  const { t } = useTranslation();
  const refused = chosen.map(({ index }) => errors[`models.${index}.model_id`]).find(Boolean);
  return (
    <li className="grid gap-3 py-3.5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <Checkbox
          label={
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium wrap-anywhere">{model.display_name}</span>
              {model.is_simulated ? <SimulatedBadge /> : null}
              {isCostly ? <Badge tone="warning">{t("wizard.models.costly")}</Badge> : null}
              {model.is_enabled ? null : <Badge>{t("wizard.models.off")}</Badge>}
            </span>
          }
          description={`${props.source} · ${model.provider_model}`}
          checked={chosen.length > 0}
          onCheckedChanged={props.onCheckedChanged}
        />
        <span className="text-sm text-ink-muted">
          <PriceText prices={model.prices} />
        </span>
      </div>
      {refused === undefined ? null : <FieldError>{refused}</FieldError>}
      {chosen.length === 0 ? null : (
        <div className="grid gap-2 pl-6.5">
          {chosen.map(({ choice, index }) => (
            <div key={index} className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <Parameters
                  slug={slug}
                  model={model}
                  choice={choice}
                  errors={errorsBelow(errorsBelow(errors, `models.${index}`), "parameters")}
                  onChoiceChanged={(next) => props.onChoiceChanged(index, next)}
                />
              </div>
              {chosen.length === 1 ? null : (
                <Button
                  variant="ghost"
                  iconOnly
                  aria-label={t("wizard.models.removeSet", { model: model.display_name })}
                  onClick={() => props.onChoiceRemoved(index)}
                >
                  <Trash2 aria-hidden />
                </Button>
              )}
            </div>
          ))}
          <Button
            variant="ghost"
            size="sm"
            className="justify-self-start"
            onClick={props.onChoiceAdded}
          >
            <Plus aria-hidden />
            {t("wizard.models.addSet")}
            <span className="sr-only">{model.display_name}</span>
          </Button>
        </div>
      )}
    </li>
  );
}
