import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Checkbox } from "@/components/ui/checkbox";
import { modelSource } from "@/lib/model-source";
import { EVERY_MODEL, findModels } from "./find-models";
import { onListKeyDown } from "./list-keys";
import { ModelFilterFields } from "./model-filter-fields";

export interface FilteredModelsProps {
  models: readonly Model[];
  /** The list of the models found. */
  children: (found: readonly Model[]) => ReactNode;
  /** Controls beside the search box. */
  beside?: ReactNode;
}

/** A list of models with checkboxes, below a search box and a filter by provider. */
export function FilteredModels({ models, children, beside }: FilteredModelsProps) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState(EVERY_MODEL);
  const found = findModels(models, filter);
  return (
    // Adds the arrow keys to controls that work without them.
    <div
      className="grid gap-3"
      onKeyDown={(event) => onListKeyDown(event, () => setFilter({ ...filter, q: "" }))}
    >
      <div className="flex flex-wrap items-start justify-end gap-3">
        {models.length < 2 ? null : (
          <div className="min-w-48 flex-1">
            <ModelFilterFields models={models} filter={filter} onFilterChanged={setFilter} />
          </div>
        )}
        {beside}
      </div>
      {found.length === 0 ? (
        <p role="status" className="py-6 text-center text-sm text-ink-muted">
          {t("modelChooser.noMatch")}
        </p>
      ) : (
        children(found)
      )}
    </div>
  );
}

export interface ModelChecklistProps {
  models: readonly Model[];
  chosen: readonly string[];
  onChosenChanged: (chosen: readonly string[]) => void;
  errorOf?: (modelId: string) => string | undefined;
  disabled?: boolean;
}

/** Choice of several models; those that are off are offered only while chosen. */
export function ModelChecklist(props: ModelChecklistProps) {
  const { models, chosen, onChosenChanged, errorOf, disabled = false } = props;
  const offered = models.filter((model) => model.is_enabled || chosen.includes(model.id));
  return (
    <FilteredModels models={offered}>
      {(found) => (
        <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {found.map((model) => (
            <li key={model.id}>
              <Checkbox
                label={
                  <span className="flex flex-wrap items-center gap-2">
                    {model.display_name}
                    {model.is_simulated ? <SimulatedBadge /> : null}
                  </span>
                }
                description={modelSource(model, models)}
                checked={chosen.includes(model.id)}
                disabled={disabled}
                error={errorOf?.(model.id)}
                onCheckedChanged={(checked) =>
                  onChosenChanged(
                    checked ? [...chosen, model.id] : chosen.filter((id) => id !== model.id),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </FilteredModels>
  );
}
