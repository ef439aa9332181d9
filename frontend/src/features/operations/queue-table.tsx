import { ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Operations } from "@/api/types";
import { EmptyState } from "@/components/ui/empty-state";
import { Table, type Column } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import { useTaskName } from "./use-task-name";

type Depth = Operations["queue"]["depths"][number];

export function QueueTable({ depths }: { depths: readonly Depth[] }) {
  const { t } = useTranslation();
  const taskName = useTaskName();
  if (depths.length === 0) {
    return (
      <div className="rounded-lg border border-border bg-raised">
        <EmptyState
          bare
          icon={<ListChecks />}
          title={t("operations.queue.empty")}
          description={t("operations.queue.emptyHint")}
        />
      </div>
    );
  }
  const columns: Column<Depth>[] = [
    {
      key: "task",
      primary: true,
      header: t("operations.queue.columns.task"),
      cell: (depth) => <span className="font-medium">{taskName(depth.task)}</span>,
    },
    {
      key: "priority",
      header: t("operations.queue.columns.priority"),
      cell: (depth) => (
        <span className="text-ink-muted">{t(`operations.priorities.${depth.priority}`)}</span>
      ),
    },
    {
      key: "waiting",
      header: t("operations.queue.columns.waiting"),
      align: "right",
      className: "tabular-nums",
      cell: (depth) => formatNumber(depth.waiting),
    },
    {
      key: "running",
      header: t("operations.queue.columns.running"),
      align: "right",
      className: "tabular-nums",
      cell: (depth) => formatNumber(depth.running),
    },
  ];
  return (
    <Table
      caption={t("operations.queue.title")}
      columns={columns}
      rows={depths}
      rowKey={(depth) => `${depth.task} ${depth.priority}`}
    />
  );
}
