import { Link } from "@tanstack/react-router";
import { Siren } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { formatScore } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";
import { cn } from "@/lib/cn";
import { formatCost, formatUsd } from "@/lib/format";
import { changeOf, formatChange } from "./check-figures";
import { CheckBadge, MonitorBadge, MutedBadge } from "./monitor-badges";

const MONITOR_PAGE = "/p/$slug/monitors/$monitorId";

export function PromptWords({ prompt }: Pick<MonitorSummary, "prompt">) {
  const { t } = useTranslation();
  if (prompt.name === null) {
    return t("monitors.prompt.deleted");
  }
  const label = prompt.version_label ?? t("monitors.prompt.noVersion");
  return prompt.is_production
    ? t("monitors.prompt.production", { name: prompt.name, label })
    : t("monitors.prompt.fixed", { name: prompt.name, label });
}

function LastCheck({ monitor }: { monitor: MonitorSummary }) {
  const { t } = useTranslation();
  const { last_check: last, last_measured: measured } = monitor;
  if (last === null) {
    return <span className="text-ink-muted">{t("monitors.noCheck")}</span>;
  }
  const change = measured === null ? null : changeOf(measured);
  return (
    <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
      <span className="flex flex-wrap items-center gap-2">
        {measured?.score == null ? null : (
          <span className="font-medium whitespace-nowrap tabular-nums">
            {formatScore(measured.score)}
          </span>
        )}
        <CheckBadge check={last} />
      </span>
      <span className="text-xs whitespace-nowrap text-ink-muted tabular-nums">
        {change === null ? null : (
          <>
            {t("monitors.againstBaseline", { change: formatChange(change) })}
            {" · "}
          </>
        )}
        <RelativeTime iso={last.created_at} />
      </span>
    </span>
  );
}

function OpenAlerts({ slug, monitor }: { slug: string; monitor: MonitorSummary }) {
  const { t } = useTranslation();
  const { open_alerts: count, worst_alert: worst } = monitor;
  if (count === 0) {
    return <span className="text-ink-muted">{t("monitors.noAlerts")}</span>;
  }
  return (
    <Link
      to="/p/$slug/monitors/alerts"
      params={{ slug }}
      search={{ monitor: monitor.id }}
      className="rounded-full"
    >
      <Badge tone={worst === "alert" ? "danger" : "warning"} icon={<Siren aria-hidden />}>
        {t("monitors.openAlerts", { count })}
      </Badge>
    </Link>
  );
}

function Next({ monitor }: { monitor: MonitorSummary }) {
  const { t } = useTranslation();
  const { next_run_at: next, pause, schedule } = monitor;
  return (
    <span className="grid gap-0.5">
      {next !== null ? (
        <RelativeTime iso={next} className="whitespace-nowrap" />
      ) : pause !== null && pause.resume_at !== null ? (
        <span className="whitespace-nowrap">
          {t("monitors.resumes")} <RelativeTime iso={pause.resume_at} />
        </span>
      ) : (
        <span className="text-ink-muted">{t("monitors.noNext")}</span>
      )}
      <span className="max-w-56 text-xs text-pretty text-ink-muted">{schedule}</span>
    </span>
  );
}

export function CostToday({ money }: Pick<MonitorSummary, "money">) {
  const { t } = useTranslation();
  const { daily_budget_usd: budget, today_usd: today } = money;
  const isUsedUp = budget !== null && Number(today) >= Number(budget);
  return (
    <span className={cn("whitespace-nowrap tabular-nums", isUsedUp && "text-warning")}>
      {budget === null
        ? t("monitors.cost.unlimited", { cost: formatCost(today) })
        : t("monitors.cost.ofBudget", {
            cost: formatCost(today),
            budget: formatUsd(budget),
          })}
    </span>
  );
}

export function useMonitorColumns(slug: string): Column<MonitorSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<MonitorSummary>();
  return [
    columns.name({
      className: "lg:w-1/4",
      link: ({ id }) => ({ to: MONITOR_PAGE, params: { slug, monitorId: id } }),
      badge: ({ muted_until }) => <MutedBadge until={muted_until} />,
      note: (monitor) => <PromptWords prompt={monitor.prompt} />,
    }),
    {
      key: "state",
      header: t("monitors.columns.state"),
      cell: (monitor) => <MonitorBadge monitor={monitor} />,
    },
    {
      key: "last",
      header: t("monitors.columns.last"),
      cell: (monitor) => <LastCheck monitor={monitor} />,
    },
    {
      key: "next",
      header: t("monitors.columns.next"),
      cell: (monitor) => <Next monitor={monitor} />,
    },
    {
      key: "alerts",
      header: t("monitors.columns.alerts"),
      cell: (monitor) => <OpenAlerts slug={slug} monitor={monitor} />,
    },
    {
      key: "cost",
      header: t("monitors.columns.cost"),
      align: "right",
      cell: (monitor) => <CostToday money={monitor.money} />,
    },
  ];
}
