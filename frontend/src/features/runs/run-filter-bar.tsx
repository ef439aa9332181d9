import { useQuery } from "@tanstack/react-query";
import { datasetsQuery } from "@/api/datasets";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { FilterBar, FilterSelect } from "@/components/listing/filter-bar";
import { promptChoicesQuery } from "@/api/prompts";
import type { RunFilters } from "./queries";
import { ORIGINS, RUN_STATES } from "./run-state";

const ACTIVE = "active";
const ARCHIVED = "archived";

export interface RunFilterBarProps {
  slug: string;
  filters: RunFilters;
  onFiltersChanged: (filters: RunFilters) => void;
}

export function RunFilterBar({ slug, filters, onFiltersChanged }: RunFilterBarProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug)).data ?? [];
  const models = useQuery(modelsQuery(slug)).data ?? [];
  const datasets = useQuery(datasetsQuery(slug)).data ?? [];
  const change = (part: RunFilters) => onFiltersChanged({ ...filters, ...part });
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <FilterBar
      label={t("runs.filters.label")}
      search={t("runs.filters.search")}
      q={filters.q}
      delay={300}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("runs.filters.state")}
        anything={t("runs.filters.anyState")}
        value={filters.active === true ? ACTIVE : (filters.status ?? filters.state)}
        options={[
          { value: ACTIVE, label: t("runs.filters.active") },
          ...RUN_STATES.map((state) => ({ value: state, label: t(`runs.states.${state}`) })),
          { value: ARCHIVED, label: t("lists.statuses.archived") },
        ]}
        onChosen={(value) =>
          change({
            active: value === ACTIVE ? true : undefined,
            status: value === ARCHIVED ? ARCHIVED : undefined,
            state: RUN_STATES.find((state) => state === value),
          })
        }
      />
      <FilterSelect
        label={t("runs.filters.origin")}
        anything={t("runs.filters.anyOrigin")}
        value={filters.origin}
        options={ORIGINS.map((origin) => ({ value: origin, label: t(`runs.origins.${origin}`) }))}
        onChosen={(origin) => change({ origin })}
      />
      <FilterSelect
        label={t("runs.filters.prompt")}
        anything={t("runs.filters.anyPrompt")}
        value={filters.prompt}
        options={prompts.map(named)}
        onChosen={(prompt) => change({ prompt })}
      />
      <ModelSelect
        offersAll
        aria-label={t("runs.filters.model")}
        models={models}
        chosen={filters.model ?? null}
        other={{ label: t("runs.filters.anyModel"), onChosen: () => change({ model: undefined }) }}
        onChosen={(model) => change({ model })}
      />
      <FilterSelect
        label={t("runs.filters.dataset")}
        anything={t("runs.filters.anyDataset")}
        value={filters.dataset}
        options={datasets.map(named)}
        onChosen={(dataset) => change({ dataset })}
      />
    </FilterBar>
  );
}
