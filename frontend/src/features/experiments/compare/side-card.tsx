import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ExperimentComparison } from "@/api/types";
import { ScoreTrend } from "@/components/charts/score-trend";
import { IntervalBar } from "@/components/results/interval-bar";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Card } from "@/components/ui/card";
import { BestScore } from "../best-score";
import { BudgetUse } from "../budget-use";
import { StateBadge } from "../state-badge";

type Side = ExperimentComparison["left"];

/** One of the two compared experiments. */
export function SideCard({ slug, side }: { slug: string; side: Side }) {
  const { t } = useTranslation();
  const { summary, trend, variants } = side;
  return (
    <Card aria-label={summary.name} className="grid min-w-0 content-start gap-5 p-5">
      <div className="grid gap-2">
        <h2 className="text-base font-semibold">
          <Link
            to="/p/$slug/experiments/$experimentId"
            params={{ slug, experimentId: summary.id }}
            className="rounded-sm wrap-anywhere hover:text-accent-ink hover:underline"
          >
            {summary.name}
          </Link>
        </h2>
        <p className="flex flex-wrap gap-2">
          <StateBadge state={summary.state} />
          {summary.is_simulated ? <SimulatedBadge /> : null}
        </p>
        <p className="line-clamp-3 text-sm wrap-anywhere text-ink-muted">{summary.goal}</p>
      </div>
      <dl className="grid grid-cols-2 gap-4 text-sm">
        <div className="grid content-start gap-1">
          <dt className="text-xs text-ink-muted">{t("experiments.columns.best")}</dt>
          <dd>
            <BestScore experiment={summary} />
          </dd>
        </div>
        <div className="grid content-start gap-1">
          <dt className="text-xs text-ink-muted">{t("experiments.columns.cost")}</dt>
          <dd>
            <BudgetUse experiment={summary} />
          </dd>
        </div>
      </dl>
      {trend.length === 0 ? null : (
        <ScoreTrend points={trend} best={summary.best?.iteration} height={200} />
      )}
      {variants.length === 0 ? null : (
        <ul aria-label={t("experiments.compare.models")} className="grid gap-2 text-sm">
          {variants.map(({ key, label, train, holdout }) => (
            <li key={key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="min-w-0 wrap-anywhere">{label}</span>
              <IntervalBar mean={holdout?.value == null ? train : holdout} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
