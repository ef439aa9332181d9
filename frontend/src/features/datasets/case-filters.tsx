import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DatasetFacets } from "@/api/types";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { formatNumber } from "@/lib/format";
import { DIFFICULTIES, isFiltered, ORIGINS, SPLITS, type CaseView } from "./view";

const ALL = "all";

export interface CaseFiltersProps {
  view: CaseView;
  onViewChanged: (view: CaseView) => void;
  /** Number of cases per facet value; undefined until loaded. */
  facets: DatasetFacets | undefined;
}

interface FacetSelectProps<V extends string> {
  label: string;
  everything: string;
  value: V | undefined;
  choices: readonly { value: V; label: string; cases: number | undefined }[];
  onValueChanged: (value: V | undefined) => void;
}

/** Select with the number of cases for each option, independent of other filters. */
function FacetSelect<V extends string>(props: FacetSelectProps<V>) {
  const options = props.choices.map(({ value, label, cases }) => ({
    value: `=${value}`,
    label: cases === undefined ? label : `${label} (${formatNumber(cases)})`,
  }));
  return (
    <Select
      aria-label={props.label}
      className="w-auto max-w-48 min-w-32"
      value={props.value === undefined ? ALL : `=${props.value}`}
      options={[{ value: ALL, label: props.everything }, ...options]}
      onValueChanged={(value) =>
        props.onValueChanged(value === ALL ? undefined : (value.slice(1) as V))
      }
    />
  );
}

function countsOf(facet: { value: string; cases: number }[] | undefined) {
  const counts = new Map(facet?.map(({ value, cases }) => [value, cases]));
  return (value: string) => (facet === undefined ? undefined : (counts.get(value) ?? 0));
}

export function CaseFilters({ view, onViewChanged, facets }: CaseFiltersProps) {
  const { t } = useTranslation();
  const ofSplit = countsOf(facets?.splits);
  const ofOrigin = countsOf(facets?.origins);
  const ofDifficulty = countsOf(facets?.difficulties);
  const tags = facets?.tags ?? [];
  const shownTags =
    view.tag === undefined || tags.some(({ value }) => value === view.tag)
      ? tags
      : [{ value: view.tag, cases: 0 }, ...tags];
  const withExpected = facets?.with_expected;
  const without = facets === undefined ? undefined : facets.total - facets.with_expected;
  return (
    <div
      role="search"
      aria-label={t("datasets.filters.label")}
      className="flex flex-wrap items-center gap-2"
    >
      <div className="min-w-56 flex-1 basis-64">
        <SearchBox
          delay={250}
          label={t("datasets.filters.search")}
          value={view.q}
          onValueChanged={(q) => onViewChanged({ ...view, q })}
        />
      </div>
      <FacetSelect
        label={t("datasets.columns.tags")}
        everything={t("datasets.filters.anyTag")}
        value={view.tag}
        choices={shownTags.map((tag) => ({ ...tag, label: tag.value }))}
        onValueChanged={(tag) => onViewChanged({ ...view, tag })}
      />
      <FacetSelect
        label={t("datasets.columns.split")}
        everything={t("datasets.filters.anySplit")}
        value={view.split}
        choices={SPLITS.map((value) => ({
          value,
          label: t(`datasets.splits.${value}`),
          cases: ofSplit(value),
        }))}
        onValueChanged={(split) => onViewChanged({ ...view, split })}
      />
      <FacetSelect
        label={t("datasets.columns.difficulty")}
        everything={t("datasets.filters.anyDifficulty")}
        value={view.difficulty}
        choices={DIFFICULTIES.map((value) => ({
          value,
          label: t("datasets.difficultyIs", { value }),
          cases: ofDifficulty(value),
        }))}
        onValueChanged={(difficulty) => onViewChanged({ ...view, difficulty })}
      />
      <FacetSelect
        label={t("datasets.columns.origin")}
        everything={t("datasets.filters.anyOrigin")}
        value={view.origin}
        choices={ORIGINS.map((value) => ({
          value,
          label: t(`datasets.origins.${value}`),
          cases: ofOrigin(value),
        }))}
        onValueChanged={(origin) => onViewChanged({ ...view, origin })}
      />
      <FacetSelect
        label={t("datasets.columns.expected")}
        everything={t("datasets.filters.anyExpected")}
        value={view.expected}
        choices={[
          { value: "yes", label: t("datasets.filters.withExpected"), cases: withExpected },
          { value: "no", label: t("datasets.filters.withoutExpected"), cases: without },
        ]}
        onValueChanged={(expected) => onViewChanged({ ...view, expected })}
      />
      {isFiltered(view) ? (
        <Button variant="ghost" size="sm" onClick={() => onViewChanged({ sort: view.sort })}>
          <X aria-hidden />
          {t("lists.clear")}
        </Button>
      ) : null}
    </div>
  );
}
