import { useTranslation } from "react-i18next";
import type { RunResults } from "@/api/types";
import { Explained } from "@/components/ui/explained";
import { formatPercent } from "@/lib/format";
import { Section } from "./section";

const CELL = "border border-border p-2 text-center tabular-nums";
const HEAD = "min-w-28 p-2 text-xs font-medium text-ink-muted";

/** Pairwise preferences between variants, with win rates and ratings. */
export function WinMatrix({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const { wins, ratings, variants } = results;
  if (wins === null) {
    return null;
  }
  return (
    <Section title={t("results.wins.title")} hint={t("results.wins.hint")}>
      <div
        role="group"
        aria-label={t("results.wins.title")}
        tabIndex={0}
        className="relative overflow-auto rounded-lg border border-border bg-raised"
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{t("results.wins.title")}</caption>
          <thead className="bg-surface">
            <tr>
              <th scope="col" className={`${HEAD} px-3 text-left`}>
                {t("results.wins.row")}
              </th>
              {variants.map(({ position, label }) => (
                <th key={position} scope="col" className={HEAD}>
                  {label}
                </th>
              ))}
              <th scope="col" className={HEAD}>
                <Explained text={t("results.wins.rate")} />
              </th>
              <th scope="col" className={HEAD}>
                <Explained text={t("results.wins.rating")} />
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map(({ position, label }, row) => {
              const rate = wins.win_rates[row]?.value ?? null;
              const rating = ratings?.ratings[row];
              return (
                <tr key={position}>
                  <th scope="row" className="border border-border p-2 px-3 text-left font-medium">
                    {label}
                  </th>
                  {variants.map((other, column) => (
                    <td key={other.position} className={CELL}>
                      {row === column ? (
                        <span className="text-ink-muted">–</span>
                      ) : (
                        t("results.wins.cell", {
                          wins: wins.wins[row]?.[column] ?? 0,
                          ties: wins.ties[row]?.[column] ?? 0,
                        })
                      )}
                    </td>
                  ))}
                  <td className={`${CELL} font-medium`}>
                    {rate === null ? "–" : formatPercent(rate)}
                  </td>
                  <td className={CELL}>
                    {rating === undefined ? "–" : Math.round(rating.points)}
                    {rating?.interval ? (
                      <span className="block text-xs text-ink-muted">
                        {Math.round(rating.interval.low)} – {Math.round(rating.interval.high)}
                      </span>
                    ) : null}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {wins.consistency === null ? null : (
        <p className="text-sm text-ink-muted">
          {t("results.wins.consistency", { value: formatPercent(wins.consistency) })}
        </p>
      )}
    </Section>
  );
}
