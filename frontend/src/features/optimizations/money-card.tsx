import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { formatCost, formatUsd } from "@/lib/format";
import { spentOf } from "./situation";

const COLOURS = {
  baseline: "bg-chart-3",
  generations: "bg-chart-1",
  test: "bg-chart-2",
} as const;

const HATCHED = "bg-[repeating-linear-gradient(135deg,var(--chart-2)_0_3px,transparent_3px_6px)]";

/** What was spent on which part, of the budget, and what is set aside for the test. */
export function MoneyCard({ optimization }: { optimization: Optimization }) {
  const { t } = useTranslation();
  const { rounds, cost_usd: cost, budget_usd: budget, held_usd: held } = optimization;
  const parts = spentOf(rounds);
  const whole = Math.max(Number(budget ?? 0), Number(cost) + Number(held ?? 0), Number.EPSILON);
  return (
    <Card className="shrink-0" aria-label={t("optimizations.money.title")}>
      <CardHeader
        title={t("optimizations.money.title")}
        description={
          budget === null
            ? t("optimizations.money.spent", { cost: formatUsd(cost) })
            : t("optimizations.money.spentOf", { cost: formatUsd(cost), budget: formatUsd(budget) })
        }
      />
      <CardContent className="grid gap-3">
        <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-surface-hover">
          {parts.map(({ key, usd }) => (
            <span key={key} className={COLOURS[key]} style={{ width: `${(100 * usd) / whole}%` }} />
          ))}
          {held === null ? null : (
            <span
              className={`ml-auto ${HATCHED}`}
              style={{ width: `${(100 * Number(held)) / whole}%` }}
            />
          )}
        </div>
        <dl className="grid gap-2 text-sm">
          {parts.map(({ key, usd }) => (
            <div key={key} className="flex items-center justify-between gap-4">
              <dt className="flex items-center gap-2 text-ink-muted">
                <span aria-hidden className={`size-2.5 rounded-full ${COLOURS[key]}`} />
                {t(`optimizations.money.${key}`)}
              </dt>
              <dd className="tabular-nums">{formatCost(String(usd))}</dd>
            </div>
          ))}
          {held === null ? null : (
            <div className="flex items-center justify-between gap-4">
              <dt className="flex items-center gap-2 text-ink-muted">
                <span aria-hidden className={`size-2.5 rounded-full ${HATCHED}`} />
                {t("optimizations.money.held")}
              </dt>
              <dd className="tabular-nums">
                {t("optimizations.money.upTo", { cost: formatCost(held) })}
              </dd>
            </div>
          )}
        </dl>
        <p className="text-xs text-pretty text-ink-muted">{t("optimizations.money.hint")}</p>
      </CardContent>
    </Card>
  );
}
