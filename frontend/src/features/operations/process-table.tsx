import { Cpu } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EdisonProcess } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { formatDuration, formatExact, formatNumber } from "@/lib/format";

function NameCell({ process }: { process: EdisonProcess }) {
  const { t } = useTranslation();
  return (
    <div className="grid min-w-0 gap-0.5 text-left">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t(`operations.processes.kinds.${process.kind}`)}</span>
        {process.does_jobs ? <Badge>{t("operations.processes.doesJobs")}</Badge> : null}
      </span>
      <span className="flex min-w-0 gap-1 text-xs text-ink-muted">
        <span className="max-w-80 min-w-0 truncate" title={process.host}>
          {process.host}
        </span>
        <span className="shrink-0">{t("operations.processes.pid", { pid: process.pid })}</span>
      </span>
    </div>
  );
}

function useColumns(): Column<EdisonProcess>[] {
  const { t } = useTranslation();
  return [
    {
      key: "process",
      primary: true,
      header: t("operations.processes.columns.process"),
      cell: (process) => <NameCell process={process} />,
    },
    {
      key: "state",
      header: t("operations.processes.columns.state"),
      cell: ({ is_silent }) => (
        <Badge tone={is_silent ? "warning" : "success"}>
          {is_silent ? t("operations.processes.silent") : t("operations.processes.live")}
        </Badge>
      ),
    },
    {
      key: "seen",
      header: t("operations.processes.columns.seen"),
      className: "tabular-nums whitespace-nowrap",
      cell: ({ seen_at, seen_seconds }) => (
        <time dateTime={seen_at} title={formatExact(seen_at)}>
          {t("operations.processes.seenAgo", { time: formatDuration(Math.round(seen_seconds)) })}
        </time>
      ),
    },
    {
      key: "chunks",
      header: t("operations.processes.columns.chunks"),
      align: "right",
      className: "tabular-nums",
      cell: (process) => formatNumber(process.chunk_count),
    },
    {
      key: "calls",
      header: t("operations.processes.columns.calls"),
      align: "right",
      className: "tabular-nums",
      cell: (process) => formatNumber(process.call_count),
    },
    {
      key: "started",
      header: t("operations.processes.columns.started"),
      cell: (process) => (
        <RelativeTime iso={process.started_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
    {
      key: "version",
      header: t("operations.processes.columns.version"),
      cell: (process) => <code className="text-xs">{process.version}</code>,
    },
  ];
}

export function ProcessTable({ processes }: { processes: readonly EdisonProcess[] }) {
  const { t } = useTranslation();
  const columns = useColumns();
  if (processes.length === 0) {
    return (
      <div className="rounded-lg border border-border bg-raised">
        <EmptyState
          bare
          icon={<Cpu />}
          title={t("operations.processes.empty")}
          description={t("operations.processes.emptyHint")}
        />
      </div>
    );
  }
  return (
    <Table
      caption={t("operations.processes.title")}
      columns={columns}
      rows={processes}
      rowKey={(process) => process.id}
    />
  );
}
