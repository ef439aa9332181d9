import { useTranslation } from "react-i18next";
import { SearchBox } from "@/components/search-box";
import { Select } from "@/components/ui/select";
import type { PromptFilters } from "@/api/prompts";

const ALL = "all";

export interface PromptFilterBarProps {
  filters: PromptFilters;
  onFiltersChanged: (filters: PromptFilters) => void;
}

export function PromptFilterBar({ filters, onFiltersChanged }: PromptFilterBarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("prompts.filters.label")}
      className="grid items-center gap-3 sm:grid-cols-[minmax(0,1fr)_11rem_11rem]"
    >
      <SearchBox
        label={t("prompts.filters.search")}
        value={filters.q}
        onValueChanged={(q) => onFiltersChanged({ ...filters, q })}
      />
      <Select
        aria-label={t("prompts.filters.kind")}
        value={filters.kind ?? ALL}
        options={[
          { value: ALL, label: t("prompts.filters.allKinds") },
          { value: "generator", label: t("prompts.kinds.generator.many") },
          { value: "grader", label: t("prompts.kinds.grader.many") },
        ]}
        onValueChanged={(kind) =>
          onFiltersChanged({ ...filters, kind: kind === ALL ? undefined : kind })
        }
      />
      <Select
        aria-label={t("prompts.filters.status")}
        value={filters.status ?? "active"}
        options={(["active", "archived", "all"] as const).map((status) => ({
          value: status,
          label: t(`prompts.filters.statuses.${status}`),
        }))}
        onValueChanged={(status) =>
          onFiltersChanged({ ...filters, status: status === "active" ? undefined : status })
        }
      />
    </div>
  );
}
