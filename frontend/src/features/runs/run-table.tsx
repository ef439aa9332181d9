import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isWorking, percentDone } from "@/api/runs";
import type { Run } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatNumber } from "@/lib/format";
import { RunMenu, type RunCommand } from "./run-menu";
import { StateBadge } from "./state-badge";

function RunName({ slug, run }: { slug: string; run: Run }) {
  const { t } = useTranslation();
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/runs/$runId"
          params={{ slug, runId: run.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {run.name}
        </Link>
        {run.is_simulated ? <SimulatedBadge /> : null}
      </span>
      <span className="text-xs text-ink-muted">
        {[
          run.dataset_name,
          t("runs.size.cases", { count: run.case_count }),
          t("runs.size.variants", { count: run.variant_count }),
          run.repeats > 1 ? t("runs.size.repeats", { count: run.repeats }) : null,
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </span>
  );
}

export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <span className="grid w-36 gap-1.5">
      <Progress
        label={t("runs.progressOf", { name: run.name })}
        value={percentDone(run)}
        tone={run.state === "failed" ? "danger" : run.state === "paused" ? "warning" : "accent"}
      />
      <span className="text-xs text-ink-muted tabular-nums">
        {t("runs.cellsOf", {
          done: formatNumber(run.done_count),
          total: formatNumber(run.cell_count),
        })}
        {run.error_count > 0 ? (
          <span className="text-danger">
            {" · "}
            {t("runs.tally.failed", { count: run.error_count })}
          </span>
        ) : null}
      </span>
    </span>
  );
}

export interface RunTableProps {
  slug: string;
  runs: readonly Run[];
  editable: boolean;
  onCommand: (command: RunCommand, run: Run) => void;
}

export function RunTable({ slug, runs, editable, onCommand }: RunTableProps) {
  const { t } = useTranslation();
  const columns: Column<Run>[] = [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      className: "lg:w-2/5",
      cell: (run) => <RunName slug={slug} run={run} />,
    },
    { key: "state", header: t("runs.state"), cell: (run) => <StateBadge state={run.state} /> },
    { key: "progress", header: t("runs.progress"), cell: (run) => <RunProgress run={run} /> },
    {
      key: "score",
      header: t("runs.score"),
      align: "right",
      cell: (run) =>
        run.score === null ? (
          <span className="text-ink-subtle">{t("runs.none")}</span>
        ) : (
          <ScoreBadge label={t("runs.score")} value={run.score} passed={null} />
        ),
    },
    {
      key: "cost",
      header: t("runs.cost"),
      align: "right",
      cell: (run) => <span className="tabular-nums">{formatCost(run.cost_usd)}</span>,
    },
    {
      key: "when",
      header: t("runs.when"),
      align: "right",
      cell: (run) => (
        <RelativeTime
          iso={isWorking(run.state) ? run.created_at : (run.ended_at ?? run.created_at)}
          className="whitespace-nowrap text-ink-muted"
        />
      ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      className: "lg:w-16",
      cell: (run) => <RunMenu run={run} onCommand={(command) => onCommand(command, run)} />,
    },
  ];
  return (
    <Table
      caption={t("runs.title")}
      columns={editable ? columns : columns.filter(({ key }) => key !== "actions")}
      rows={runs}
      rowKey={(run) => run.id}
    />
  );
}
