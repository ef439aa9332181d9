import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cpu } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelAdviceQuery } from "@/api/models";
import type { Model } from "@/api/types";
import { setPriceUnit, usePriceUnit } from "@/components/model-prices/price-unit";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { modelSource } from "@/lib/model-source";
import type { StepProps } from "../wizard-step";
import { choicesOf, withModels, withoutModel } from "./model-choices";
import { ModelRow } from "./model-row";

const ALL = "all";
/** Minimum number of models to show a filter. */
const MIN_MODELS_FOR_FILTER = 8;

interface FilterProps {
  models: readonly Model[];
  provider: string;
  onProviderChanged: (provider: string) => void;
  text: string;
  onTextChanged: (text: string) => void;
}

function Filters({ models, provider, onProviderChanged, text, onTextChanged }: FilterProps) {
  const { t } = useTranslation();
  const unit = usePriceUnit();
  const providers = new Map(models.map((model) => [model.provider, model.provider_title]));
  return (
    <div className="flex flex-wrap items-center gap-3">
      {models.length < MIN_MODELS_FOR_FILTER ? null : (
        <div className="min-w-48 flex-1">
          <SearchBox
            label={t("wizard.models.search")}
            value={text}
            onValueChanged={(next) => onTextChanged(next ?? "")}
          />
        </div>
      )}
      {providers.size < 2 ? null : (
        <Select
          size="sm"
          className="w-48"
          aria-label={t("wizard.models.provider")}
          value={provider}
          options={[
            { value: ALL, label: t("wizard.models.anyProvider") },
            ...Array.from(providers, ([value, label]) => ({ value, label })),
          ]}
          onValueChanged={onProviderChanged}
        />
      )}
      <span className="ml-auto">
        <Segmented
          label={t("models.prices.unit")}
          value={unit}
          options={[
            { value: "million", label: t("models.prices.perMillion") },
            { value: "thousand", label: t("models.prices.perThousand") },
          ]}
          onValueChanged={setPriceUnit}
        />
      </span>
    </div>
  );
}

export interface ModelListProps extends StepProps<"models"> {
  models: readonly Model[];
}

/** Picker of the answering models. */
export function ModelList(props: ModelListProps) {
  const { slug, models, part, errors, onChanged } = props;
  const { t } = useTranslation();
  const advice = useQuery(modelAdviceQuery(slug)).data;
  const [provider, setProvider] = useState(ALL);
  const [text, setText] = useState("");
  const chosen = part.models;
  const isChosen = (model: Model) => choicesOf(chosen, model.id).length > 0;
  const offered = models.filter((model) => model.is_enabled || isChosen(model));
  if (offered.length === 0) {
    return (
      <EmptyState
        bare
        icon={<Cpu />}
        title={t("wizard.models.noneTitle")}
        description={t("wizard.models.noneHint")}
        action={
          <Button asChild variant="secondary">
            <Link to="/p/$slug/models" params={{ slug }} target="_blank">
              {t("wizard.models.add")}
            </Link>
          </Button>
        }
      />
    );
  }
  const wanted = text.trim().toLowerCase();
  const shown = offered.filter(
    (model) =>
      (provider === ALL || model.provider === provider) &&
      `${model.display_name} ${model.provider_model}`.toLowerCase().includes(wanted),
  );
  const change = (next: typeof chosen) => onChanged({ models: next });
  return (
    <div className="grid gap-3">
      <Filters
        models={offered}
        provider={provider}
        onProviderChanged={setProvider}
        text={text}
        onTextChanged={setText}
      />
      {shown.length === 0 ? (
        <p role="status" className="py-6 text-center text-sm text-ink-muted">
          {t("wizard.models.noMatch")}
        </p>
      ) : (
        <ul className="grid divide-y divide-border">
          {shown.map((model) => (
            <ModelRow
              key={model.id}
              slug={slug}
              model={model}
              source={modelSource(model, models)}
              chosen={choicesOf(chosen, model.id)}
              isCostly={advice?.costly.some((entry) => entry.model.id === model.id) ?? false}
              errors={errors}
              onCheckedChanged={(checked) =>
                change(
                  checked
                    ? [...chosen, ...withModels([], [model.id])]
                    : withoutModel(chosen, model.id),
                )
              }
              onChoiceChanged={(index, next) => change(chosen.with(index, next))}
              onChoiceAdded={() => change([...chosen, ...withModels([], [model.id])])}
              onChoiceRemoved={(index) => change(chosen.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      {errors.models === undefined ? null : <FieldError>{errors.models}</FieldError>}
    </div>
  );
}
