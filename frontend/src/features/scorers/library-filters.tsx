import { useTranslation } from "react-i18next";
import type { ScorerKind } from "@/api/types";
import { SearchBox } from "@/components/search-box";
import { Select } from "@/components/ui/select";
import { cn } from "@/lib/cn";
import type { ScorerFilters } from "./queries";

const ALL = "all";
export const COST_CLASSES = ["free", "local_model", "llm_call"] as const;

export interface LibraryFiltersProps {
  filters: ScorerFilters;
  onFiltersChanged: (filters: ScorerFilters) => void;
  /** Only scorers have kinds. */
  kinds?: readonly ScorerKind[];
}

export function LibraryFilters({ filters, onFiltersChanged, kinds }: LibraryFiltersProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("scorers.filters.label")}
      className={cn(
        "grid items-center gap-3",
        kinds === undefined
          ? "sm:grid-cols-[minmax(0,1fr)_11rem]"
          : "sm:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_12rem_12rem_11rem]",
      )}
    >
      <SearchBox
        label={t("scorers.filters.search")}
        value={filters.q}
        onValueChanged={(q) => onFiltersChanged({ ...filters, q })}
      />
      {kinds === undefined ? null : (
        <>
          <Select
            aria-label={t("scorers.filters.kind")}
            value={filters.kind ?? ALL}
            options={[
              { value: ALL, label: t("scorers.filters.allKinds") },
              ...kinds.map(({ kind, title }) => ({ value: kind, label: title })),
            ]}
            onValueChanged={(kind) =>
              onFiltersChanged({ ...filters, kind: kind === ALL ? undefined : kind })
            }
          />
          <Select
            aria-label={t("scorers.filters.cost")}
            value={filters.cost ?? ALL}
            options={[
              { value: ALL, label: t("scorers.filters.allCosts") },
              ...COST_CLASSES.map((cost) => ({ value: cost, label: t(`scorers.costs.${cost}`) })),
            ]}
            onValueChanged={(cost) =>
              onFiltersChanged({ ...filters, cost: cost === ALL ? undefined : cost })
            }
          />
        </>
      )}
      <Select
        aria-label={t("scorers.filters.status")}
        value={filters.status ?? "active"}
        options={(["active", "archived", "all"] as const).map((status) => ({
          value: status,
          label: t(`scorers.filters.statuses.${status}`),
        }))}
        onValueChanged={(status) =>
          onFiltersChanged({ ...filters, status: status === "active" ? undefined : status })
        }
      />
    </div>
  );
}
