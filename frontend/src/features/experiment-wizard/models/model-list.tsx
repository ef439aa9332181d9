import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cpu } from "lucide-react";
import { useTranslation } from "react-i18next";
import { modelAdviceQuery } from "@/api/models";
import type { Model } from "@/api/types";
import { FilteredModels } from "@/components/model-chooser/model-checklist";
import { setPriceUnit, usePriceUnit } from "@/components/model-prices/price-unit";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { modelSource } from "@/lib/model-source";
import type { StepProps } from "../wizard-step";
import { choicesOf, withModels, withoutModel } from "./model-choices";
import { ModelRow } from "./model-row";

function PriceUnit() {
  const { t } = useTranslation();
  return (
    <Segmented
      label={t("models.prices.unit")}
      value={usePriceUnit()}
      options={[
        { value: "million", label: t("models.prices.perMillion") },
        { value: "thousand", label: t("models.prices.perThousand") },
      ]}
      onValueChanged={setPriceUnit}
    />
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
  const change = (next: typeof chosen) => onChanged({ models: next });
  return (
    <div className="grid gap-3">
      <FilteredModels models={offered} beside={<PriceUnit />}>
        {(found) => (
          <ul className="grid divide-y divide-border">
            {found.map((model) => (
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
      </FilteredModels>
      {errors.models === undefined ? null : <FieldError>{errors.models}</FieldError>}
    </div>
  );
}
