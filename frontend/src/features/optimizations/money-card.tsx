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

/** What was spent on which part, of the budget. */
export function MoneyCard({ optimization }: { optimization: Optimization }) {
  const { t } = useTranslation();
  const { rounds, cost_usd: cost, budget_usd: budget } = optimization;
  const parts = spentOf(rounds);
  const whole = Math.max(Number(budget ?? 0), Number(cost), Number.EPSILON);
  return (
    <Card aria-label={t("optimizations.money.title")}>
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
        </dl>
        <p className="text-xs text-pretty text-ink-muted">{t("optimizations.money.hint")}</p>
      </CardContent>
    </Card>
  );
}
