import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CandidateDetail } from "@/api/types";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { truncate } from "@/lib/format";

type CaseScore = CandidateDetail["case_scores"][number];

const SHOWN = 12;
const LONGEST = 140;

function textOf({ inputs }: CaseScore): string | null {
  if (inputs === null) {
    return null;
  }
  const texts = Object.values(inputs).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return truncate(texts.join(" · "), LONGEST);
}

const look = (change: number) =>
  Math.abs(change) < 0.005 ? "text-ink-muted" : change > 0 ? "text-success" : "text-danger";

/** Scores of a candidate by training case, beside those of the base. */
export function CaseScores({ scores, isBase }: { scores: readonly CaseScore[]; isBase: boolean }) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  if (scores.length === 0) {
    return <p className="text-sm text-ink-muted">{t("optimizations.cases.none")}</p>;
  }
  const rows = showsAll ? scores : scores.slice(0, SHOWN);
  return (
    <div className="grid justify-items-start gap-3">
      <table className="w-full text-sm">
        <caption className="sr-only">{t("optimizations.cases.title")}</caption>
        <thead>
          <tr className="border-b border-border text-xs text-ink-muted">
            <th scope="col" className="py-2 text-left font-medium">
              {t("optimizations.cases.case")}
            </th>
            {isBase ? null : (
              <th scope="col" className="py-2 pl-4 text-right font-medium">
                {t("optimizations.base")}
              </th>
            )}
            <th scope="col" className="py-2 pl-4 text-right font-medium">
              {t("optimizations.cases.score")}
            </th>
            {isBase ? null : (
              <th scope="col" className="py-2 pl-4 text-right font-medium">
                {t("optimizations.cases.change")}
              </th>
            )}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {rows.map((row) => (
            <tr key={row.key} className="border-b border-border align-top last:border-b-0">
              <td className="py-2 wrap-anywhere">
                {textOf(row) ?? (
                  <span className="text-ink-muted">{t("optimizations.cases.gone")}</span>
                )}
              </td>
              {isBase ? null : (
                <td className="py-2 pl-4 text-right">
                  {row.base === null ? "—" : outOfTen(row.base)}
                </td>
              )}
              <td className="py-2 pl-4 text-right">{outOfTen(row.score)}</td>
              {isBase ? null : (
                <td
                  className={cn(
                    "py-2 pl-4 text-right whitespace-nowrap",
                    row.base === null ? null : look(row.score - row.base),
                  )}
                >
                  {row.base === null ? "—" : changeOutOfTen(row.score - row.base)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {scores.length > SHOWN ? (
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll
            ? t("optimizations.cases.fewer")
            : t("optimizations.cases.more", { count: scores.length - SHOWN })}
        </Button>
      ) : null}
    </div>
  );
}
