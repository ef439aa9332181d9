import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { isFiltered } from "@/lib/search";
import { facetsQuery } from "./queries";
import { ENTRY_STATES, NO_FILTERS, type LedgerFilters } from "./view";
import { purposeLabel } from "./words";

export interface LedgerFilterBarProps {
  slug: string;
  filters: LedgerFilters;
  onFiltersChanged: (change: Partial<LedgerFilters>) => void;
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChosen: (value: string | undefined) => void;
}

const ALL = "*";

function Choice({ label, all, value, choices, onChosen }: ChoiceProps) {
  // Offers the value from the address even if the ledger has no such entries.
  const known = choices.some((choice) => choice.value === value);
  const extra = value === undefined || known ? [] : [{ value, label: value }];
  return (
    <Select
      aria-label={label}
      value={value ?? ALL}
      options={[{ value: ALL, label: all }, ...choices, ...extra]}
      onValueChanged={(next) => onChosen(next === ALL ? undefined : next)}
    />
  );
}

function DayFilter({
  name,
  filters,
  onFiltersChanged,
}: LedgerFilterBarProps & { name: "from" | "to" }) {
  const { t } = useTranslation();
  return (
    <label className="flex items-center gap-2 text-xs text-ink-muted">
      <span className="w-8 shrink-0">{t(`budgets.ledger.filters.${name}`)}</span>
      <Input
        type="date"
        min="2000-01-01"
        max="2999-12-31"
        className="px-2 text-xs"
        value={filters[name] ?? ""}
        onChange={(event) => onFiltersChanged({ [name]: event.target.value || undefined })}
      />
    </label>
  );
}

const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function LedgerFilterBar(props: LedgerFilterBarProps) {
  const { slug, filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  const facets = useQuery(facetsQuery(slug)).data;
  return (
    <div
      role="search"
      aria-label={t("budgets.ledger.filters.label")}
      className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4"
    >
      <SearchBox
        label={t("budgets.ledger.filters.q")}
        value={filters.q}
        onValueChanged={(q) => onFiltersChanged({ q })}
      />
      <Choice
        label={t("budgets.ledger.purpose")}
        all={t("budgets.ledger.filters.anyPurpose")}
        value={filters.purpose}
        choices={(facets?.purposes ?? []).map((value) => ({ value, label: purposeLabel(value) }))}
        onChosen={(purpose) => onFiltersChanged({ purpose })}
      />
      <Choice
        label={t("budgets.ledger.model")}
        all={t("budgets.ledger.filters.anyModel")}
        value={filters.model}
        choices={plain(facets?.models ?? [])}
        onChosen={(model) => onFiltersChanged({ model })}
      />
      <Choice
        label={t("budgets.ledger.provider")}
        all={t("budgets.ledger.filters.anyProvider")}
        value={filters.provider}
        choices={plain(facets?.providers ?? [])}
        onChosen={(provider) => onFiltersChanged({ provider })}
      />
      <Choice
        label={t("budgets.ledger.state")}
        all={t("budgets.ledger.filters.anyState")}
        value={filters.state}
        choices={ENTRY_STATES.map((value) => ({
          value,
          label: t(`budgets.ledger.states.${value}`),
        }))}
        onChosen={(chosen) =>
          onFiltersChanged({ state: ENTRY_STATES.find((state) => state === chosen) })
        }
      />
      <DayFilter {...props} name="from" />
      <DayFilter {...props} name="to" />
      <div className="flex flex-wrap items-center gap-2">
        {filters.run_id === undefined ? null : (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => onFiltersChanged({ run_id: undefined })}
          >
            {t("budgets.ledger.filters.run", { id: filters.run_id.slice(-8) })}
            <X aria-hidden />
            <span className="sr-only">{t("budgets.ledger.filters.remove")}</span>
          </Button>
        )}
        {isFiltered(filters) ? (
          <Button variant="ghost" onClick={() => onFiltersChanged(NO_FILTERS)}>
            <X aria-hidden />
            {t("lists.clear")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
