import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery, datasetNameQuery } from "@/api/case-choices";
import { caseTagsQuery } from "@/api/datasets";
import { LARGEST_PAGE } from "@/api/pages";
import { FilterSelect } from "@/components/listing/filter-bar";
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
function useOffered(slug: string, chosen: string, q: string, tag: string | undefined) {
  const found = useQuery({
    ...datasetChoicesQuery(slug, q === "" ? undefined : q, tag),
    placeholderData: keepPreviousData,
  });
  const known = useQuery({ ...datasetNameQuery(slug, chosen), enabled: chosen !== "" });
  const matching = (found.data ?? []).filter((dataset) => dataset.case_count > 0);
  const isListed = known.data === undefined || matching.some(({ id }) => id === chosen);
  return { found, matching, offered: isListed ? matching : [known.data, ...matching] };
}

/** Tags of datasets themselves. */
function useSetTags(slug: string): string[] {
  const tags = useQuery(caseTagsQuery(slug)).data?.items ?? [];
  return tags
    .filter(({ datasets }) => datasets.some(({ is_tagged: isTagged }) => isTagged))
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other));
}

/** Picker of a dataset; searchable when there are many, and by tag when some have tags. */
export function DatasetField({ slug, label, chosen, onChosenChanged }: DatasetFieldProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const settled = useDebounced(q.trim(), REST_MILLISECONDS);
  const [tag, setTag] = useState<string | undefined>();
  const tags = useSetTags(slug);
  const { found, matching, offered } = useOffered(slug, chosen, settled, tag);
  if (settled === "" && tag === undefined && found.data !== undefined && matching.length === 0) {
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
          <div className="flex flex-wrap gap-2">
            <Select
              {...control}
              className="min-w-0 grow basis-60"
              value={chosen}
              placeholder={t("schemaForm.choose")}
              options={offered.map(({ id, name, tags: own, case_count: count }) => ({
                value: id,
                label: name,
                description: [t("runs.size.cases", { count }), ...own].join(" · "),
              }))}
              onValueChanged={onChosenChanged}
            />
            {tags.length === 0 ? null : (
              <div className="grow basis-40 sm:grow-0">
                <FilterSelect
                  label={t("arena.sets.tag")}
                  anything={t("arena.sets.anyTag")}
                  value={tag}
                  options={tags.map((value) => ({ value, label: value }))}
                  onChosen={setTag}
                />
              </div>
            )}
          </div>
          {matching.length === 0 && (settled !== "" || tag !== undefined) ? (
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
