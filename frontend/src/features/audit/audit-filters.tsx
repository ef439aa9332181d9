import { Search, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { isFiltered } from "@/lib/search";
import { useDebouncedText } from "@/lib/use-debounced-text";
import { OUTCOMES, type AuditFilters } from "./queries";

export interface AuditFilterBarProps {
  filters: AuditFilters;
  onFiltersChanged: (filters: AuditFilters) => void;
}

type TextFilter = "q" | "actor" | "action" | "entity_type";

function TextFilterBox(props: AuditFilterBarProps & { name: TextFilter; searchIcon?: boolean }) {
  const { filters, onFiltersChanged, name, searchIcon = false } = props;
  const { t } = useTranslation();
  const [text, setText] = useDebouncedText({
    value: filters[name],
    delay: 300,
    onValueChanged: (value) => onFiltersChanged({ ...filters, [name]: value }),
  });
  return (
    <Input
      {...(searchIcon ? { icon: <Search aria-hidden />, "data-page-search": "" } : {})}
      aria-label={t(`audit.filters.${name}`)}
      placeholder={t(`audit.filters.${name}`)}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

function DayFilter(props: AuditFilterBarProps & { name: "since" | "until" }) {
  const { filters, onFiltersChanged, name } = props;
  const { t } = useTranslation();
  return (
    <label className="flex items-center gap-2 text-xs text-ink-muted">
      <span className="w-10 shrink-0">{t(`audit.filters.${name}`)}</span>
      <Input
        type="date"
        className="px-2 text-xs"
        value={filters[name] ?? ""}
        onChange={(event) =>
          onFiltersChanged({ ...filters, [name]: event.target.value || undefined })
        }
      />
    </label>
  );
}

export function AuditFilterBar(props: AuditFilterBarProps) {
  const { filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  const outcomes: readonly { value: (typeof OUTCOMES)[number] | "all"; label: string }[] = [
    { value: "all", label: t("audit.filters.anyOutcome") },
    ...OUTCOMES.map((outcome) => ({ value: outcome, label: t(`audit.outcome.${outcome}`) })),
  ];
  return (
    <div
      role="search"
      aria-label={t("audit.filters.label")}
      className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4"
    >
      <TextFilterBox {...props} name="q" searchIcon />
      <TextFilterBox {...props} name="actor" />
      <TextFilterBox {...props} name="action" />
      <TextFilterBox {...props} name="entity_type" />
      <Select
        aria-label={t("audit.filters.outcome")}
        value={filters.outcome ?? "all"}
        options={outcomes}
        onValueChanged={(value) =>
          onFiltersChanged({ ...filters, outcome: value === "all" ? undefined : value })
        }
      />
      <DayFilter {...props} name="since" />
      <DayFilter {...props} name="until" />
      {isFiltered(filters) ? (
        <Button variant="ghost" className="justify-self-start" onClick={() => onFiltersChanged({})}>
          <X aria-hidden />
          {t("lists.clear")}
        </Button>
      ) : null}
    </div>
  );
}
