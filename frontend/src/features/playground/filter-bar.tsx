import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatScore } from "@/components/score-scale";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { CELL_STATUSES } from "./session";
import { countFilters, type PlaygroundView } from "./view";

const ALL = "all";
const SCORES = ["0", "0.25", "0.5", "0.75", "1"] as const;

export interface FilterBarProps {
  view: PlaygroundView;
  onViewChanged: (view: PlaygroundView) => void;
  onCleared: () => void;
}

interface ScoreChoiceProps {
  label: string;
  any: string;
  value: number | undefined;
  onValueChanged: (value: number | undefined) => void;
}

function ScoreChoice({ label, any, value, onValueChanged }: ScoreChoiceProps) {
  const choices =
    value === undefined || SCORES.some((score) => Number(score) === value)
      ? SCORES
      : [...SCORES, String(value)];
  return (
    <Select
      size="sm"
      className="w-44"
      aria-label={label}
      value={value === undefined ? ALL : String(value)}
      options={[
        { value: ALL, label: any },
        ...choices.map((score) => ({
          value: score,
          label: `${label} ${formatScore(Number(score))}`,
        })),
      ]}
      onValueChanged={(next) => onValueChanged(next === ALL ? undefined : Number(next))}
    />
  );
}

/** Row filters; all of them are in the address. */
export function FilterBar({ view, onViewChanged, onCleared }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="search"
      aria-label={t("playground.filters.label")}
      className="flex flex-wrap items-center gap-2 [&_input]:h-8 [&_input]:text-xs"
    >
      <div className="min-w-44 flex-1">
        <SearchBox
          label={t("playground.filters.search")}
          value={view.q}
          delay={300}
          onValueChanged={(q) => onViewChanged({ ...view, q })}
        />
      </div>
      <Select
        size="sm"
        className="w-44"
        aria-label={t("playground.filters.status")}
        value={view.status ?? ALL}
        options={[
          { value: ALL, label: t("playground.filters.anyStatus") },
          ...CELL_STATUSES.map((status) => ({
            value: status,
            label: t(`playground.filters.statuses.${status}`),
          })),
        ]}
        onValueChanged={(status) =>
          onViewChanged({ ...view, status: status === ALL ? undefined : status })
        }
      />
      <ScoreChoice
        label={t("playground.filters.min")}
        any={t("playground.filters.anyMin")}
        value={view.min}
        onValueChanged={(min) => onViewChanged({ ...view, min })}
      />
      <ScoreChoice
        label={t("playground.filters.max")}
        any={t("playground.filters.anyMax")}
        value={view.max}
        onValueChanged={(max) => onViewChanged({ ...view, max })}
      />
      {countFilters(view) === 0 ? null : (
        <Button variant="ghost" size="sm" onClick={onCleared}>
          <X aria-hidden />
          {t("playground.filters.clear")}
        </Button>
      )}
    </div>
  );
}
