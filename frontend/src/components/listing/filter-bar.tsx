import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SearchBox, type SearchBoxProps } from "@/components/search-box";
import { Select, type SelectOption } from "@/components/ui/select";

const ANYTHING = "any";

export interface FilterBarProps {
  /** Accessible name of the bar. */
  label: string;
  /** Label of the search box. */
  search: string;
  q: string | undefined;
  onSearched: (q: string | undefined) => void;
  delay?: SearchBoxProps["delay"];
  /** Further filters. */
  children?: ReactNode;
}

/** Search box and filters of a list. */
export function FilterBar({ label, search, q, onSearched, delay, children }: FilterBarProps) {
  return (
    <div
      role="search"
      aria-label={label}
      className="flex flex-wrap items-center gap-3 [&>button]:w-full sm:[&>button]:w-auto sm:[&>button]:grow sm:[&>button]:basis-44 xl:[&>button]:grow-0"
    >
      <div className="min-w-0 flex-1 basis-full xl:basis-44">
        <SearchBox
          label={search}
          value={q}
          onValueChanged={onSearched}
          {...(delay === undefined ? {} : { delay })}
        />
      </div>
      {children}
    </div>
  );
}

export interface FilterSelectProps<V extends string> {
  label: string;
  /** Label of the option that matches everything. */
  anything: string;
  value: V | undefined;
  options: readonly SelectOption<V>[];
  onChosen: (value: V | undefined) => void;
}

/** Select filter with an option that matches everything. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, anything, value, options, onChosen } = props;
  return (
    <Select<V | typeof ANYTHING>
      aria-label={label}
      value={value ?? ANYTHING}
      options={[{ value: ANYTHING, label: anything }, ...options]}
      onValueChanged={(next) => onChosen(next === ANYTHING ? undefined : next)}
    />
  );
}

export type ArchiveStatus = "archived" | "all";

export interface StatusFilterProps {
  value: ArchiveStatus | undefined;
  onChosen: (value: ArchiveStatus | undefined) => void;
}

/** Filters by status: active by default, archived, or all. */
export function StatusFilter({ value, onChosen }: StatusFilterProps) {
  const { t } = useTranslation();
  return (
    <FilterSelect
      label={t("lists.status")}
      anything={t("lists.statuses.active")}
      value={value}
      options={(["archived", "all"] as const).map((status) => ({
        value: status,
        label: t(`lists.statuses.${status}`),
      }))}
      onChosen={onChosen}
    />
  );
}
