import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery, datasetNameQuery } from "@/api/case-choices";
import { LARGEST_PAGE } from "@/api/pages";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/lib/hooks";

const REST_MILLISECONDS = 250;
/** Fewer are found at a glance. */
const SEARCHED_FROM = 10;

export interface DatasetFieldProps {
  slug: string;
  label: string;
  /** Empty: none yet. */
  chosen: string;
  onChosenChanged: (datasetId: string) => void;
}

/** Datasets with cases that match a search, and the chosen one. */
function useOffered(slug: string, chosen: string, q: string) {
  const found = useQuery({
    ...datasetChoicesQuery(slug, q === "" ? undefined : q),
    placeholderData: keepPreviousData,
  });
  const known = useQuery({ ...datasetNameQuery(slug, chosen), enabled: chosen !== "" });
  const matching = (found.data ?? []).filter((dataset) => dataset.case_count > 0);
  const isListed = known.data === undefined || matching.some(({ id }) => id === chosen);
  return { found, matching, offered: isListed ? matching : [known.data, ...matching] };
}

/** Picker of a dataset; searchable when there are many. */
export function DatasetField({ slug, label, chosen, onChosenChanged }: DatasetFieldProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const settled = useDebounced(q.trim(), REST_MILLISECONDS);
  const { found, matching, offered } = useOffered(slug, chosen, settled);
  if (settled === "" && found.data !== undefined && matching.length === 0) {
    return (
      <p className="text-sm text-ink-muted">
        {t("arena.start.noSets")}{" "}
        <Link to="/p/$slug/datasets" params={{ slug }} className="text-accent-ink underline">
          {t("arena.start.openSets")}
        </Link>
      </p>
    );
  }
  const isSearched = q !== "" || (found.data?.length ?? 0) >= SEARCHED_FROM;
  return (
    <Field
      required
      label={label}
      hint={found.data?.length === LARGEST_PAGE ? t("arena.sets.more") : undefined}
    >
      {(control) => (
        <div className="grid gap-2">
          {isSearched ? (
            <Input
              type="search"
              aria-label={t("arena.sets.search")}
              placeholder={t("arena.sets.search")}
              value={q}
              onChange={(event) => setQ(event.target.value)}
            />
          ) : null}
          <Select
            {...control}
            value={chosen}
            placeholder={t("schemaForm.choose")}
            options={offered.map(({ id, name, case_count: count }) => ({
              value: id,
              label: name,
              description: t("runs.size.cases", { count }),
            }))}
            onValueChanged={onChosenChanged}
          />
          {matching.length === 0 && settled !== "" ? (
            <p role="status" className="text-xs text-ink-muted">
              {t("arena.sets.noMatch")}
            </p>
          ) : null}
          <LoadError queries={[found]} />
        </div>
      )}
    </Field>
  );
}
