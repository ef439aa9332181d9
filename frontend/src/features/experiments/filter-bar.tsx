import { useTranslation } from "react-i18next";
import { SearchBox } from "@/components/search-box";
import { Select } from "@/components/ui/select";
import { EXPERIMENT_STATES, LIST_STATUSES, type ExperimentFilters } from "./experiment-view";

const ALL = "any";
const ACTIVE = "active";

export interface FilterBarProps {
  filters: ExperimentFilters;
  onFiltersChanged: (filters: ExperimentFilters) => void;
}

export function FilterBar({ filters, onFiltersChanged }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("experiments.filters.label")}
      className="grid items-center gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_11rem]"
    >
      <SearchBox
        label={t("experiments.filters.search")}
        value={filters.q}
        delay={300}
        onValueChanged={(q) => onFiltersChanged({ ...filters, q })}
      />
      <Select
        aria-label={t("experiments.filters.state")}
        value={filters.state ?? ALL}
        options={[
          { value: ALL, label: t("experiments.filters.anyState") },
          ...EXPERIMENT_STATES.map((state) => ({
            value: state,
            label: t(`experiments.states.${state}`),
          })),
        ]}
        onValueChanged={(value) =>
          onFiltersChanged({
            ...filters,
            state: EXPERIMENT_STATES.find((state) => state === value),
          })
        }
      />
      <Select
        aria-label={t("experiments.filters.status")}
        value={filters.status ?? ACTIVE}
        options={[ACTIVE, ...LIST_STATUSES].map((status) => ({
          value: status,
          label: t(`experiments.filters.statuses.${status as "active" | "archived" | "all"}`),
        }))}
        onValueChanged={(value) =>
          onFiltersChanged({
            ...filters,
            status: LIST_STATUSES.find((status) => status === value),
          })
        }
      />
    </div>
  );
}
