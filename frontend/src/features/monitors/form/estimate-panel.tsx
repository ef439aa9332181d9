import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { UseQueryResult } from "@tanstack/react-query";
import type { MonitorEstimate } from "@/api/types";
import { EstimateState } from "@/components/run-estimate/estimate-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { formatNumber, formatPercent, formatRange, formatDuration } from "@/lib/format";
import { formatSpent } from "@/lib/spent";
import type { MonitorFormDraft } from "./monitor-draft";

const DAYS_A_MONTH = 30;
const FEW_CASES = 20;
const OFFERED_REPEATS = 3;

/** Cost of a usual month; null when prices are unknown. */
export function monthlyCost({ day_usd: day }: Pick<MonitorEstimate, "day_usd">): string | null {
  return day === null ? null : String(Number(day) * DAYS_A_MONTH);
}

export interface EstimatePanelProps {
  slug: string;
  draft: MonitorFormDraft;
  estimate: UseQueryResult<MonitorEstimate>;
  /** False until prompt, cases, models and scorers are chosen. */
  isReady: boolean;
  onRepeatsChosen: (repeats: number) => void;
}

function Figures({ estimate }: { estimate: MonitorEstimate }) {
  const { t } = useTranslation();
  const rows = [
    [t("monitors.estimate.cases"), formatNumber(estimate.cases)],
    [
      t("monitors.estimate.smallestDrop"),
      estimate.smallest_drop === null ? t("ui.unknown") : formatPercent(estimate.smallest_drop),
    ],
    [t("monitors.estimate.check"), formatSpent(estimate.check_usd)],
    ...(estimate.confirmation_usd === null
      ? []
      : [[t("monitors.estimate.confirmation"), formatSpent(estimate.confirmation_usd)]]),
    [
      t("monitors.estimate.day", {
        count: Math.round(estimate.checks_a_day),
        checks: formatNumber(Number(estimate.checks_a_day.toPrecision(2))),
      }),
      formatSpent(estimate.day_usd),
    ],
    [t("monitors.estimate.month"), formatSpent(monthlyCost(estimate))],
    [
      t("monitors.estimate.time"),
      formatRange(estimate.check.seconds.low, estimate.check.seconds.high, formatDuration) ??
        t("ui.unknown"),
    ],
  ];
  return (
    <dl className="grid gap-2 text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
          <dt className="text-ink-muted">{label}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Warnings(props: EstimatePanelProps & { found: MonitorEstimate }) {
  const { slug, draft, found, onRepeatsChosen } = props;
  const { t } = useTranslation();
  const isTooFew = found.cases < FEW_CASES;
  const wantsRepeats =
    !isTooFew &&
    draft.repeats < OFFERED_REPEATS &&
    found.smallest_drop !== null &&
    found.smallest_drop > draft.rules.drop.threshold;
  return (
    <>
      {found.warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
      {isTooFew && draft.datasetId !== null ? (
        <Button asChild variant="secondary" size="sm" className="justify-self-start">
          <Link to="/p/$slug/datasets/$datasetId" params={{ slug, datasetId: draft.datasetId }}>
            {t("monitors.estimate.addCases")}
          </Link>
        </Button>
      ) : null}
      {wantsRepeats ? (
        <div className="grid gap-2 text-xs text-ink-muted">
          <p>{t("monitors.estimate.repeatsHelp")}</p>
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start"
            onClick={() => onRepeatsChosen(OFFERED_REPEATS)}
          >
            {t("monitors.estimate.useRepeats", { count: OFFERED_REPEATS })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** What checks cost and can reveal, updated while the form is edited. */
export function EstimatePanel(props: EstimatePanelProps) {
  const { t } = useTranslation();
  return (
    <EstimateState
      estimate={props.estimate}
      missing={props.isReady ? null : t("monitors.estimate.nothingYet")}
    >
      {(found) => (
        <>
          <Figures estimate={found} />
          <Warnings {...props} found={found} />
        </>
      )}
    </EstimateState>
  );
}
