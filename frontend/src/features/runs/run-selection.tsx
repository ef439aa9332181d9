import { Link } from "@tanstack/react-router";
import { GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Run } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import type { Column } from "@/components/ui/table";

/** Two runs of a list, ticked to be compared. A third one replaces the first. */
export function useRunSelection(slug: string) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<readonly Run[]>([]);
  const toggle = (run: Run) =>
    setChosen((known) =>
      known.some(({ id }) => id === run.id)
        ? known.filter(({ id }) => id !== run.id)
        : [...known, run].slice(-2),
    );
  const column: Column<Run> = {
    key: "compare",
    header: t("runs.select.column"),
    className: "lg:w-24",
    cell: (run) => (
      <Checkbox
        label={<span className="sr-only">{t("runs.select.one", { name: run.name })}</span>}
        checked={chosen.some(({ id }) => id === run.id)}
        disabled={run.done_count === 0}
        onCheckedChanged={() => toggle(run)}
      />
    ),
  };
  const bar = <SelectionBar slug={slug} chosen={chosen} onCleared={() => setChosen([])} />;
  return { column, bar };
}

interface SelectionBarProps {
  slug: string;
  chosen: readonly Run[];
  onCleared: () => void;
}

function SelectionBar({ slug, chosen, onCleared }: SelectionBarProps) {
  const { t } = useTranslation();
  // The earlier run is the baseline.
  const [first, second] = chosen.toSorted((one, other) =>
    one.created_at.localeCompare(other.created_at),
  );
  if (first === undefined) {
    return null;
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-border bg-surface px-3.5 py-2.5 text-sm"
    >
      <span className="min-w-0 flex-1 wrap-anywhere">
        {second === undefined
          ? t("runs.select.hint", { name: first.name })
          : t("runs.select.both", { first: first.name, second: second.name })}
      </span>
      {second === undefined ? null : (
        <Button size="sm" asChild>
          <Link
            to="/p/$slug/runs/$runId"
            params={{ slug, runId: second.id }}
            search={{ tab: "compare", against: first.id }}
          >
            <GitCompareArrows aria-hidden />
            {t("runs.select.action")}
          </Link>
        </Button>
      )}
      <Button variant="ghost" size="sm" onClick={onCleared}>
        {t("runs.select.clear")}
      </Button>
    </div>
  );
}
