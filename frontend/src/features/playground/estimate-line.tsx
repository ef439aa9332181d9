import { useTranslation } from "react-i18next";
import type { RunEstimate } from "@/api/types";
import { costRange, durationRange } from "@/components/run-estimate/estimate";
import { formatNumber } from "@/lib/format";
import { callsOf } from "./run-guard";

/** Calls, cost and time of the run that the button would start. */
export function EstimateLine({ estimate }: { estimate: RunEstimate }) {
  const { t } = useTranslation();
  const parts = [
    t("playground.run.calls", {
      count: callsOf(estimate),
      formatted: formatNumber(callsOf(estimate)),
    }),
    costRange(estimate),
    durationRange(estimate),
  ];
  return (
    <p className="text-right text-xs text-ink-muted tabular-nums">
      {t("playground.run.takes", { parts: parts.filter((part) => part !== null).join(" · ") })}
    </p>
  );
}
