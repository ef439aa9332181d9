import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FacetCell, RunResults } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { Segmented } from "@/components/ui/segmented";
import { cn } from "@/lib/cn";
import { Section } from "./section";

const KINDS = ["tag", "length", "difficulty"] as const;

/**
 * Background of a heat map cell. The number has the exact value; text stays readable on every
 * shade.
 */
function backgroundOf(value: number): string {
  if (value >= 0.8) {
    return "bg-success-bg";
  }
  return value >= 0.5 ? "bg-warning-bg" : "bg-danger-bg";
}

function MapCell({ cell }: { cell: FacetCell | undefined }) {
  const { t } = useTranslation();
  const value = cell?.composite.value ?? null;
  if (cell === undefined || value === null) {
    return <td className="border border-border p-2 text-center text-ink-muted">–</td>;
  }
  return (
    <td
      className={cn(
        "border border-border p-2 text-center tabular-nums",
        cell.is_small ? "bg-surface text-ink-muted" : backgroundOf(value),
      )}
    >
      <span className={cn(!cell.is_small && "font-medium")}>{outOfTen(value)}</span>
      <span className="block text-xs text-ink-muted">
        {t("results.cases", { count: cell.composite.cases })}
        {cell.is_small ? <span className="sr-only">, {t("results.facets.small")}</span> : null}
      </span>
    </td>
  );
}

/** Heat map table of scores by variant and facet. */
export function FacetMap({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const kinds = KINDS.filter((kind) => results.facets.some((cell) => cell.kind === kind));
  const [wanted, setWanted] = useState<FacetCell["kind"] | null>(null);
  const kind = wanted !== null && kinds.includes(wanted) ? wanted : kinds[0];
  if (kind === undefined) {
    return null;
  }
  const cells = results.facets.filter((cell) => cell.kind === kind);
  const facets = [...new Set(cells.map((cell) => cell.facet))];
  return (
    <Section
      title={t("results.facets.title")}
      hint={t("results.facets.hint")}
      actions={
        <Segmented
          label={t("results.facets.kind")}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`results.facets.${value}`) }))}
          onValueChanged={setWanted}
        />
      }
    >
      <div
        role="group"
        aria-label={t("results.facets.title")}
        tabIndex={0}
        className="relative max-h-128 overflow-auto rounded-lg border border-border bg-raised"
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{t("results.facets.title")}</caption>
          <thead className="sticky top-0 bg-surface">
            <tr>
              <th scope="col" className="p-2 px-3 text-left text-xs font-medium text-ink-muted">
                {t(`results.facets.${kind}`)}
              </th>
              {results.variants.map(({ position, label }) => (
                <th
                  key={position}
                  scope="col"
                  className="min-w-32 p-2 text-xs font-medium text-ink-muted"
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facets.map((facet) => (
              <tr key={facet}>
                <th scope="row" className="border border-border p-2 px-3 text-left font-normal">
                  {facet}
                </th>
                {results.variants.map(({ position }) => (
                  <MapCell
                    key={position}
                    cell={cells.find((cell) => cell.facet === facet && cell.variant === position)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
