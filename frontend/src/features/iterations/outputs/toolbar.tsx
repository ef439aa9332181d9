import { useTranslation } from "react-i18next";
import type { RunResults } from "@/api/types";
import { ROW_STATUSES } from "@/components/grid/answers-view";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { CASE_ORDERS, isFiltered, NO_FILTERS, type OutputsView } from "./outputs-view";
import { ScoreRange } from "./score-range";

const ANY = "any";

interface ChoiceProps<V extends string> {
  label: string;
  any?: string;
  value: V | undefined;
  options: readonly { value: V; label: string }[];
  onValueChanged: (value: V | undefined) => void;
}

function Choice<V extends string>({ label, any, value, options, onValueChanged }: ChoiceProps<V>) {
  return (
    <Select
      size="sm"
      className="w-40"
      aria-label={label}
      value={value ?? ANY}
      options={[...(any === undefined ? [] : [{ value: ANY, label: any }]), ...options]}
      onValueChanged={(next) =>
        onValueChanged(options.find((option) => option.value === next)?.value)
      }
    />
  );
}

function useFacetOptions(results: RunResults | undefined) {
  const { t } = useTranslation();
  const seen = new Map<string, string>();
  for (const { kind, facet } of results?.facets ?? []) {
    seen.set(`${kind}:${facet}`, `${t(`results.facets.${kind}`)}: ${facet}`);
  }
  return [...seen].map(([value, label]) => ({ value, label }));
}

export interface ToolbarProps {
  view: OutputsView;
  onViewChanged: (view: OutputsView) => void;
  /** Results of the shown run, once loaded. */
  results: RunResults | undefined;
}

/** Filters and order of the cases. */
export function Toolbar({ view, onViewChanged, results }: ToolbarProps) {
  const { t } = useTranslation();
  const facets = useFacetOptions(results);
  const change = (part: Partial<OutputsView>) =>
    onViewChanged({ ...view, ...part, case: undefined });
  return (
    <div
      role="search"
      aria-label={t("iterations.outputs.filters")}
      className="flex flex-wrap items-center gap-2"
    >
      <Choice
        label={t("iterations.outputs.order")}
        value={view.order ?? "position"}
        options={CASE_ORDERS.map((value) => ({
          value,
          label: t(`iterations.outputs.orders.${value}`),
        }))}
        onValueChanged={(order) => change({ order: order === "position" ? undefined : order })}
      />
      <Choice
        label={t("iterations.outputs.criterion")}
        any={t("iterations.outputs.anyCriterion")}
        value={view.criterion}
        options={(results?.criteria ?? []).map(({ key, name }) => ({ value: key, label: name }))}
        onValueChanged={(criterion) => change({ criterion })}
      />
      <ScoreRange score={view.score} onScoreChanged={(score) => change({ score })} />
      <Choice
        label={t("runs.grid.status")}
        any={t("runs.grid.anyStatus")}
        value={view.status}
        options={ROW_STATUSES.map((value) => ({
          value,
          label: t(`runs.grid.statuses.${value}`),
        }))}
        onValueChanged={(status) => change({ status })}
      />
      {facets.length === 0 ? null : (
        <Choice
          label={t("iterations.outputs.facet")}
          any={t("iterations.outputs.anyFacet")}
          value={view.facet}
          options={facets}
          onValueChanged={(facet) => change({ facet })}
        />
      )}
      <span className="flex flex-wrap items-center gap-4 px-1">
        <Checkbox
          label={t("iterations.outputs.flagged")}
          checked={view.flagged === true}
          onCheckedChanged={(on) => change({ flagged: on ? true : undefined })}
        />
        <Checkbox
          label={t("iterations.outputs.apart")}
          checked={view.apart === true}
          onCheckedChanged={(on) => change({ apart: on ? true : undefined })}
        />
      </span>
      {isFiltered(view) ? (
        <Button size="sm" variant="ghost" onClick={() => change(NO_FILTERS)}>
          {t("lists.clear")}
        </Button>
      ) : null}
    </div>
  );
}
