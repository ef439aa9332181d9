import { useTranslation } from "react-i18next";
import { SearchBox } from "@/components/search-box";
import { Select } from "@/components/ui/select";
import { DATASET_SORTS, type DatasetView } from "./arrange";
import { ORIGINS } from "./view";

const ALL = "all";

export interface DatasetFiltersProps {
  view: DatasetView;
  onViewChanged: (view: DatasetView) => void;
}

export function DatasetFilters({ view, onViewChanged }: DatasetFiltersProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("datasets.list.filters")}
      className="grid items-center gap-3 sm:grid-cols-3 xl:grid-cols-[minmax(0,1fr)_12rem_12rem_12rem]"
    >
      <div className="sm:col-span-3 xl:col-span-1">
        <SearchBox
          label={t("datasets.list.search")}
          value={view.q}
          onValueChanged={(q) => onViewChanged({ ...view, q })}
        />
      </div>
      <Select
        aria-label={t("datasets.kind")}
        value={view.kind ?? ALL}
        options={[
          { value: ALL, label: t("datasets.list.anyKind") },
          ...ORIGINS.map((value) => ({ value, label: t(`datasets.origins.${value}`) })),
        ]}
        onValueChanged={(kind) => onViewChanged({ ...view, kind: kind === ALL ? undefined : kind })}
      />
      <Select
        aria-label={t("datasets.list.status")}
        value={view.status ?? "active"}
        options={(["active", "archived", "all"] as const).map((value) => ({
          value,
          label: t(`datasets.list.statuses.${value}`),
        }))}
        onValueChanged={(status) =>
          onViewChanged({ ...view, status: status === "active" ? undefined : status })
        }
      />
      <Select
        aria-label={t("datasets.list.sort")}
        value={view.sort ?? "updated"}
        options={DATASET_SORTS.map((value) => ({
          value,
          label: t(`datasets.list.sorts.${value}`),
        }))}
        onValueChanged={(sort) =>
          onViewChanged({ ...view, sort: sort === "updated" ? undefined : sort })
        }
      />
    </div>
  );
}
