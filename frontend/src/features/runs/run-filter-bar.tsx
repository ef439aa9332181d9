import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { SearchBox } from "@/components/search-box";
import { Select, type SelectOption } from "@/components/ui/select";
import { promptChoicesQuery } from "@/api/prompts";
import { datasetChoicesQuery } from "./choices";
import type { RunFilters } from "./queries";
import { ORIGINS, RUN_STATES } from "./run-state";

const ALL = "all";
const ACTIVE = "active";

interface FilterSelectProps {
  label: string;
  anything: string;
  value: string | undefined;
  options: readonly SelectOption[];
  onValueChanged: (value: string | undefined) => void;
}

function FilterSelect({ label, anything, value, options, onValueChanged }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      value={value ?? ALL}
      options={[{ value: ALL, label: anything }, ...options]}
      onValueChanged={(next) => onValueChanged(next === ALL ? undefined : next)}
    />
  );
}

export interface RunFilterBarProps {
  slug: string;
  filters: RunFilters;
  onFiltersChanged: (filters: RunFilters) => void;
}

export function RunFilterBar({ slug, filters, onFiltersChanged }: RunFilterBarProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug)).data ?? [];
  const models = useQuery(modelsQuery(slug)).data ?? [];
  const datasets = useQuery(datasetChoicesQuery(slug)).data ?? [];
  const change = (part: RunFilters) => onFiltersChanged({ ...filters, ...part });
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <div
      role="search"
      aria-label={t("runs.filters.label")}
      className="grid items-center gap-3 sm:grid-cols-3 xl:grid-cols-6"
    >
      <div className="sm:col-span-3 xl:col-span-1">
        <SearchBox
          label={t("runs.filters.search")}
          value={filters.q}
          delay={300}
          onValueChanged={(q) => change({ q })}
        />
      </div>
      <FilterSelect
        label={t("runs.filters.state")}
        anything={t("runs.filters.anyState")}
        value={filters.active === true ? ACTIVE : filters.state}
        options={[
          { value: ACTIVE, label: t("runs.filters.active") },
          ...RUN_STATES.map((state) => ({ value: state, label: t(`runs.states.${state}`) })),
        ]}
        onValueChanged={(value) =>
          change({
            active: value === ACTIVE ? true : undefined,
            state: RUN_STATES.find((state) => state === value),
          })
        }
      />
      <FilterSelect
        label={t("runs.filters.origin")}
        anything={t("runs.filters.anyOrigin")}
        value={filters.origin}
        options={ORIGINS.map((origin) => ({ value: origin, label: t(`runs.origins.${origin}`) }))}
        onValueChanged={(origin) => change({ origin })}
      />
      <FilterSelect
        label={t("runs.filters.prompt")}
        anything={t("runs.filters.anyPrompt")}
        value={filters.prompt}
        options={prompts.map(named)}
        onValueChanged={(prompt) => change({ prompt })}
      />
      <FilterSelect
        label={t("runs.filters.model")}
        anything={t("runs.filters.anyModel")}
        value={filters.model}
        options={models.map(({ id, display_name }) => ({ value: id, label: display_name }))}
        onValueChanged={(model) => change({ model })}
      />
      <FilterSelect
        label={t("runs.filters.dataset")}
        anything={t("runs.filters.anyDataset")}
        value={filters.dataset}
        options={datasets.map(named)}
        onValueChanged={(dataset) => change({ dataset })}
      />
    </div>
  );
}
