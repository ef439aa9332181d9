import { useTranslation } from "react-i18next";
import type { RunDetail, RunEstimate } from "@/api/types";
import { BudgetsInReach } from "@/components/budgets-in-reach";
import {
  formatTokens,
  formatCost,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRange,
} from "@/lib/format";
import { i18n } from "@/lib/i18n";

/** All or part of the cost is in simulated dollars, which are named as such. */
export function costRange(estimate: RunEstimate): string | null {
  const { cost, simulated_cost: simulated } = estimate;
  const range = formatRange(cost.low_usd ?? null, cost.high_usd ?? null, formatCost);
  if (range === null || Number(simulated?.high_usd ?? 0) === 0) {
    return range;
  }
  return simulated?.high_usd === cost.high_usd
    ? i18n.t("runs.estimate.simulated", { range })
    : i18n.t("runs.estimate.partlySimulated", {
        range,
        part: formatRange(simulated?.low_usd ?? null, simulated?.high_usd ?? null, formatCost),
      });
}

/** Cost of the models with a known price, when others have none. */
function knownCost({ known_cost: known }: RunEstimate): string | null {
  return formatRange(known?.low_usd ?? null, known?.high_usd ?? null, formatCost);
}

export function durationRange({ seconds }: RunEstimate): string | null {
  return formatRange(seconds.low, seconds.high, formatDuration);
}

export function outputTokensRange({ output_tokens }: RunEstimate): string | null {
  return formatRange(output_tokens.low, output_tokens.high, formatTokens);
}

interface AssumptionsProps {
  estimate: RunEstimate;
  /** Null until the run is over. */
  compared?: RunDetail["compared"];
  /** Whose texts about budgets. */
  subject?: "runs" | "abTests";
}

/** Deviation from the middle of the estimate, such as "+8%". */
function deviation(ratio: number): string {
  const off = ratio - 1;
  return `${off > 0 ? "+" : ""}${formatPercent(off)}`;
}

/** An estimate and its assumptions. */
export function Assumptions(props: AssumptionsProps) {
  const { estimate, compared = null, subject = "runs" } = props;
  const { t } = useTranslation();
  const unknown = t("runs.none");
  const rows = [
    {
      label: t("runs.estimate.calls"),
      value: t("runs.estimate.callsSplit", {
        answers: formatNumber(estimate.answer_calls),
        judges: formatNumber(estimate.judge_calls),
      }),
      ratio: null,
    },
    {
      label: t("runs.estimate.tokens"),
      value: t("runs.estimate.tokensSplit", {
        input: formatTokens(estimate.input_tokens),
        output: outputTokensRange(estimate) ?? unknown,
      }),
      ratio: compared?.output_tokens_ratio ?? null,
    },
    {
      label: t("runs.cost"),
      value: costRange(estimate) ?? unknown,
      ratio: compared?.cost_ratio ?? null,
    },
    {
      label: t("runs.estimate.time"),
      value: durationRange(estimate) ?? unknown,
      ratio: compared?.seconds_ratio ?? null,
    },
  ];
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid gap-2">
        {rows.map(({ label, value, ratio }) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="text-right">
              {value}
              {ratio === null ? null : (
                <span className="block text-xs text-ink-muted">
                  {t("runs.estimate.turnedOut", { share: deviation(ratio) })}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {estimate.unpriced_models.length === 0 ? null : (
        <p className="text-xs text-warning">
          {t("runs.estimate.unpriced", { models: estimate.unpriced_models.join(", ") })}{" "}
          {knownCost(estimate) === null
            ? null
            : t("runs.estimate.known", { range: knownCost(estimate) })}
        </p>
      )}
      <BudgetsInReach budgets={estimate.budgets ?? []} subject={subject} />
      {estimate.assumptions.length === 0 ? null : (
        <ul className="grid list-disc gap-1 pl-4 text-xs text-ink-muted">
          {estimate.assumptions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
