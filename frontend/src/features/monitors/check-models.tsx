import { useTranslation } from "react-i18next";
import type { CheckModel, MonitorCheck } from "@/api/types";
import { formatScore, outOfTen } from "@/components/score-scale";
import { formatNumber, formatPercent, formatPValue, formatSeconds } from "@/lib/format";

type Drop = NonNullable<CheckModel["drop"]>;

const MOST_WORST = 5;

/** "12% below the baseline (p = 0.003), 5 regressed, 2 improved". */
function DropWords({ drop, kind }: { drop: Drop; kind: "first" | "confirmation" }) {
  const { t } = useTranslation();
  const direction = drop.relative > 0 ? "below" : "above";
  return (
    <span>
      {t(`monitors.check.drop.${kind}`, {
        change: t(`monitors.check.drop.${direction}`, {
          share: formatPercent(Math.abs(drop.relative)),
        }),
        p: formatPValue(drop.p_value),
        count: drop.shared,
      })}
    </span>
  );
}

function ModelFacts({ model }: { model: CheckModel }) {
  const { t } = useTranslation();
  const { drop, confirmation, not_comparable: none } = model;
  return (
    <div className="grid gap-1 text-sm text-ink-muted tabular-nums">
      {drop == null ? null : <DropWords drop={drop} kind="first" />}
      {confirmation == null ? null : <DropWords drop={confirmation} kind="confirmation" />}
      {none == null ? null : (
        <span>
          {t("monitors.check.notComparable", { shared: none.shared, needed: none.needed })}
        </span>
      )}
      {drop?.smallest_visible == null ? null : (
        <span>
          {t("monitors.check.smallestVisible", { share: formatPercent(drop.smallest_visible) })}
        </span>
      )}
      <span>
        {t("monitors.check.answers", { count: model.answers, failed: formatNumber(model.failed) })}
        {model.p50_seconds === null || model.p95_seconds === null
          ? null
          : ` · p50 ${formatSeconds(model.p50_seconds)} · p95 ${formatSeconds(model.p95_seconds)}`}
      </span>
    </div>
  );
}

function Worst({ model }: { model: CheckModel }) {
  const { t } = useTranslation();
  const worst = (model.worst ?? []).slice(0, MOST_WORST);
  if (worst.length === 0) {
    return null;
  }
  return (
    <div className="grid gap-1.5">
      <h4 className="text-xs font-medium text-ink-muted">{t("monitors.check.worst")}</h4>
      <ul className="grid gap-1 text-sm tabular-nums">
        {worst.map(({ position, baseline, score }) => (
          <li key={position} className="flex justify-between gap-4">
            <span>{t("monitors.check.case", { number: position + 1 })}</span>
            <span className="text-danger">
              {outOfTen(baseline)} → {formatScore(score)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Figures of each model of a check. */
export function CheckModels({ check }: { check: MonitorCheck }) {
  const { t } = useTranslation();
  const models = check.measures?.models ?? [];
  if (models.length === 0) {
    return null;
  }
  return (
    <section aria-label={t("monitors.tabs.models")} className="grid gap-5">
      {models.map((model) => (
        <div key={model.key} className="grid gap-2 border-t border-border pt-4">
          <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-semibold">
            <span className="min-w-0 wrap-anywhere">{model.label}</span>
            <span className="tabular-nums">
              {model.score === null ? t("monitors.verdicts.unscored") : formatScore(model.score)}
            </span>
          </h3>
          <ModelFacts model={model} />
          <Worst model={model} />
        </div>
      ))}
    </section>
  );
}
