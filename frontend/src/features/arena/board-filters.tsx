import { ChevronDown, Database } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Board, BoardDataset, ScorerSet } from "@/api/arena";
import { FilterSelect } from "@/components/listing/filter-bar";
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck } from "@/components/ui/dropdown-menu";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { BOARD_SORTS, DIFFICULTIES, type BoardView } from "./board-view";

export interface BoardFiltersProps {
  datasets: readonly BoardDataset[];
  /** Datasets of the board. */
  chosen: readonly string[];
  /** Undefined while it loads. */
  board: Board | undefined;
  view: BoardView;
  onViewChanged: (view: BoardView) => void;
}

function DatasetMenu({ datasets, chosen, view, onViewChanged }: BoardFiltersProps) {
  const { t } = useTranslation();
  const names = datasets
    .filter(({ dataset_id: id }) => chosen.includes(id))
    .map(({ name }) => name);
  const toggle = (id: string, checked: boolean) => {
    const next = checked ? [...chosen, id] : chosen.filter((old) => old !== id);
    if (next.length > 0) {
      onViewChanged({ sort: view.sort, sets: next.join(",") });
    }
  };
  return (
    <Menu
      align="start"
      className="max-w-96"
      trigger={
        <Button variant="secondary" className="max-w-full min-w-0 sm:max-w-80">
          <Database aria-hidden />
          <span className="sr-only">{t("arena.filters.sets")}</span>
          <span className="min-w-0 truncate">{names.join(", ")}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      {datasets.map(({ dataset_id: id, name, cases }) => (
        <MenuCheck
          key={id}
          checked={chosen.includes(id)}
          onCheckedChanged={(checked) => toggle(id, checked)}
        >
          {t("arena.filters.set", { name, count: cases })}
        </MenuCheck>
      ))}
    </Menu>
  );
}

function useSetName() {
  const { t } = useTranslation();
  return ({ scorers }: ScorerSet) =>
    scorers.length === 0
      ? t("arena.filters.noScorers")
      : scorers.map(({ label }) => label).join(" + ");
}

function DayField({
  label,
  value,
  onChanged,
}: {
  label: string;
  value: string | undefined;
  onChanged: (day: string | undefined) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-sm text-ink-muted">
      <span className="shrink-0">{label}</span>
      <Input
        type="date"
        className="w-40"
        value={value ?? ""}
        onChange={(event) => onChanged(event.target.value === "" ? undefined : event.target.value)}
      />
    </label>
  );
}

/** Datasets, scorer set, filters and order of the board. */
export function BoardFilters(props: BoardFiltersProps) {
  const { board, view, onViewChanged } = props;
  const { t } = useTranslation();
  const setName = useSetName();
  const change = (part: BoardView) => onViewChanged({ ...view, ...part });
  const offered = BOARD_SORTS.filter(
    (sort) =>
      (sort !== "people" && sort !== "judges") ||
      sort === view.sort ||
      (board?.rows.some((row) => row[sort] !== null) ?? false),
  );
  return (
    <div role="search" aria-label={t("arena.filters.label")} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <DatasetMenu {...props} />
        {board === undefined || board.scorer_sets.length < 2 ? null : (
          <Select
            aria-label={t("arena.filters.scorers")}
            className="w-full sm:w-72"
            value={board.scorer_set ?? ""}
            options={board.scorer_sets.map((set) => ({
              value: set.key,
              label: setName(set),
              description: t("arena.filters.runs", { count: set.runs }),
            }))}
            onValueChanged={(scorers) => change({ scorers })}
          />
        )}
        <div className="max-w-full overflow-x-auto sm:ml-auto">
          <Segmented
            label={t("arena.filters.sort")}
            value={view.sort ?? "score"}
            options={offered.map((sort) => ({ value: sort, label: t(`arena.sorts.${sort}`) }))}
            onValueChanged={(sort) => change({ sort: sort === "score" ? undefined : sort })}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3 [&>button]:w-full sm:[&>button]:w-44">
        <FilterSelect
          label={t("arena.filters.tag")}
          anything={t("arena.filters.anyTag")}
          value={view.tag}
          options={[
            ...new Set([...(board?.tags ?? []), ...(view.tag === undefined ? [] : [view.tag])]),
          ].map((tag) => ({ value: tag, label: tag }))}
          onChosen={(tag) => change({ tag })}
        />
        <FilterSelect
          label={t("arena.filters.difficulty")}
          anything={t("arena.filters.anyDifficulty")}
          value={view.difficulty}
          options={DIFFICULTIES.filter((level) =>
            (board?.difficulties ?? []).includes(Number(level)),
          ).map((level) => ({ value: level, label: t("arena.filters.level", { level }) }))}
          onChosen={(difficulty) => change({ difficulty })}
        />
        <div className="flex flex-wrap items-center gap-3">
          <DayField
            label={t("arena.filters.since")}
            value={view.since}
            onChanged={(since) => change({ since })}
          />
          <DayField
            label={t("arena.filters.until")}
            value={view.until}
            onChanged={(until) => change({ until })}
          />
        </div>
      </div>
    </div>
  );
}
