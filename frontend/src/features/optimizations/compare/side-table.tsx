import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { Explained } from "@/components/ui/explained";
import { cn } from "@/lib/cn";
import type { ComparedRow } from "./rows-of";

function Cell({ values, differs }: { values: readonly string[]; differs: boolean }) {
  return (
    <td className={cn("w-2/5 px-4 py-2.5 wrap-anywhere", differs && "font-medium")}>
      <span className="grid gap-0.5">
        {values.length === 0 ? "—" : values.map((value, index) => <span key={index}>{value}</span>)}
      </span>
    </td>
  );
}

export interface SideTableProps {
  slug: string;
  pair: readonly [Optimization, Optimization];
  rows: readonly ComparedRow[];
}

/** One row per figure, one column per optimization. What differs is marked. */
export function SideTable({ slug, pair, rows }: SideTableProps) {
  const { t } = useTranslation();
  return (
    <div className="overflow-x-auto rounded-lg border border-border bg-raised">
      <table className="w-full min-w-xl text-left text-sm tabular-nums">
        <thead>
          <tr className="border-b border-border bg-surface align-top text-xs">
            <th scope="col" className="px-4 py-2.5 font-medium text-ink-muted">
              {t("optimizations.compare.figure")}
            </th>
            {pair.map(({ id, name }) => (
              <th key={id} scope="col" className="px-4 py-2.5 font-medium wrap-anywhere">
                <Link
                  to="/p/$slug/optimizations/$optimizationId"
                  params={{ slug, optimizationId: id }}
                  className="rounded-sm text-accent-ink hover:underline"
                >
                  {name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, left, right, differs }) => (
            <tr
              key={key}
              className={cn(
                "border-b border-border align-top last:border-b-0",
                differs && "bg-info-bg/40",
              )}
            >
              <th scope="row" className="px-4 py-2.5 font-normal text-ink-muted">
                <Explained text={label} />
                {differs ? (
                  <span className="sr-only">{t("optimizations.compare.differs")}</span>
                ) : null}
              </th>
              <Cell values={left} differs={differs} />
              <Cell values={right} differs={differs} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
