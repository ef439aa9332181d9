import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/lib/hooks";
import type { PromptFilters } from "./queries";

const ALL = "all";

export interface PromptFilterBarProps {
  filters: PromptFilters;
  onFiltersChanged: (filters: PromptFilters) => void;
}

function SearchBox({ filters, onFiltersChanged }: PromptFilterBarProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(filters.q ?? "");
  const settled = useDebounced(text.trim());
  const value = settled === "" ? undefined : settled;
  useEffect(() => {
    if (value !== filters.q) {
      onFiltersChanged({ ...filters, q: value });
    }
    // Only a change of the typed text may change the address, not the other way round.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (
    <Input
      icon={<Search aria-hidden />}
      data-page-search=""
      aria-label={t("prompts.filters.search")}
      placeholder={t("prompts.filters.search")}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

export function PromptFilterBar({ filters, onFiltersChanged }: PromptFilterBarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("prompts.filters.label")}
      className="grid items-center gap-3 sm:grid-cols-[minmax(0,1fr)_11rem_11rem]"
    >
      <SearchBox filters={filters} onFiltersChanged={onFiltersChanged} />
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
