import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { MissingModels } from "@/components/missing-models";
import { ParametersDisclosure } from "@/components/model-parameters/parameters-disclosure";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Field, FieldError } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import type { ModelChoice } from "./model-choice";

/** Words of a list of models, where it is not the only one of its form. */
export interface ModelRowWords {
  model: (number: number) => string;
  remove: (number: number) => string;
  add: string;
}

interface RowProps {
  slug: string;
  models: readonly Model[];
  words: ModelRowWords;
  number: number;
  choice: ModelChoice;
  errors: FieldErrors;
  onChanged: (choice: ModelChoice) => void;
  onRemoved: (() => void) | null;
}

function ModelRow(props: RowProps) {
  const { slug, models, words, number, choice, errors, onChanged, onRemoved } = props;
  const model = models.find(({ id }) => id === choice.modelId);
  return (
    <div className="grid gap-2">
      <div className="flex items-end gap-3">
        <Field
          required
          className="min-w-0 flex-1"
          label={words.model(number)}
          error={errors.model_id}
        >
          {(control) => (
            <ModelSelect
              {...control}
              models={models}
              chosen={choice.modelId}
              onChosen={(modelId) => onChanged({ ...choice, modelId })}
            />
          )}
        </Field>
        {onRemoved === null ? null : (
          <Button variant="ghost" iconOnly aria-label={words.remove(number)} onClick={onRemoved}>
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
      {model === undefined ? null : (
        <ParametersDisclosure
          slug={slug}
          model={model}
          parameters={choice.parameters}
          errors={errorsBelow(errors, "parameters")}
          onParametersChanged={(parameters) => onChanged({ ...choice, parameters })}
        />
      )}
    </div>
  );
}

export interface ModelRowsProps {
  slug: string;
  models: readonly Model[];
  chosen: readonly ModelChoice[];
  most: number;
  /** Errors of the whole form. */
  errors: FieldErrors;
  /** The server's name of the list. */
  field?: string;
  /** Whether the list may be empty. */
  isOptional?: boolean;
  words?: ModelRowWords;
  onChosenChanged: (chosen: readonly ModelChoice[]) => void;
}

/** Models with their parameters; a model may be chosen several times. */
export function ModelRows(props: ModelRowsProps) {
  const { slug, models, chosen, most, errors, onChosenChanged } = props;
  const { field = "models", isOptional = false } = props;
  const { t } = useTranslation();
  const words = props.words ?? {
    model: (number) => t("monitors.form.model", { number }),
    remove: (number) => t("monitors.form.removeModel", { number }),
    add: t("monitors.form.addModel"),
  };
  const fewest = isOptional ? 0 : 1;
  const error = errors[field];
  return (
    <>
      {models.some(({ is_enabled }) => is_enabled) ? null : <MissingModels slug={slug} keepsPage />}
      {chosen.map((choice, index) => (
        <ModelRow
          key={choice.key}
          slug={slug}
          models={models}
          words={words}
          number={index + 1}
          choice={choice}
          errors={errorsBelow(errors, `${field}.${index}`)}
          onChanged={(next) => onChosenChanged(chosen.with(index, next))}
          onRemoved={
            chosen.length === fewest ? null : () => onChosenChanged(chosen.toSpliced(index, 1))
          }
        />
      ))}
      {error === undefined ? null : <FieldError>{error}</FieldError>}
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={chosen.length >= most}
        onClick={() =>
          onChosenChanged([
            ...chosen,
            { key: Math.max(-1, ...chosen.map(({ key }) => key)) + 1, modelId: "", parameters: {} },
          ])
        }
      >
        <Plus aria-hidden />
        {words.add}
      </Button>
    </>
  );
}
