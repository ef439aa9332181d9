import { Gauge } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Tooltip } from "@/components/ui/tooltip";
import { Kbd } from "@/components/ui/kbd";
import { nextMetric, type Metric } from "./session";
import { PILL } from "./pill";

export interface MetricPillProps {
  metric: Metric;
  onMetricChanged: (metric: Metric) => void;
}

/** Metric of cells and summary; each click switches to the next. */
export function MetricPill({ metric, onMetricChanged }: MetricPillProps) {
  const { t } = useTranslation();
  const next = nextMetric(metric);
  return (
    <Tooltip
      content={
        <>
          {t("playground.metric.next", { metric: t(`playground.metric.names.${next}`) })}
          <Kbd keys="m" />
        </>
      }
    >
      <button
        type="button"
        aria-label={t("playground.metric.label", {
          metric: t(`playground.metric.names.${metric}`),
        })}
        aria-keyshortcuts="m"
        onClick={() => onMetricChanged(next)}
        className={PILL}
      >
        <Gauge aria-hidden />
        <span key={metric} className="animate-fade-in">
          {t(`playground.metric.names.${metric}`)}
        </span>
      </button>
    </Tooltip>
  );
}
