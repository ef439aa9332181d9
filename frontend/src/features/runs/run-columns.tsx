import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { isWorking, percentDone } from "@/api/runs";
import type { Run, RunState } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { ScoreBadge } from "@/components/score-badge";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Progress } from "@/components/ui/progress";
import type { Column } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import { formatSpent } from "@/lib/spent";
import { shownState } from "./run-state";
import { StateBadge } from "./state-badge";

function sizeOf(run: Run, t: TFunction): string {
  const size = [
    run.dataset_name,
    t("runs.size.cases", { count: run.case_count }),
    t("runs.size.variants", { count: run.variant_count }),
    run.repeats > 1 ? t("runs.size.repeats", { count: run.repeats }) : null,
  ];
  return size.filter(Boolean).join(" · ");
}

const TONES: Partial<Record<RunState, "danger" | "warning">> = {
  failed: "danger",
  paused: "warning",
  cancelled: "warning",
};

export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <span className="grid w-36 gap-1.5">
      <Progress
        label={t("runs.progressOf", { name: run.name })}
        value={percentDone(run)}
        tone={TONES[shownState(run)] ?? "accent"}
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

export function useRunColumns(slug: string): Column<Run>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<Run>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id }) => ({ to: "/p/$slug/runs/$runId", params: { slug, runId: id } }),
      badge: ({ is_simulated }) => (is_simulated ? <SimulatedBadge /> : null),
      note: (run) => sizeOf(run, t),
    }),
    { key: "state", header: t("runs.state"), cell: (run) => <StateBadge run={run} /> },
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
      cell: (run) => (
        <span className="tabular-nums">{formatSpent(run.cost_usd, run.unpriced_count)}</span>
      ),
    },
    columns.time("when", t("runs.when"), ({ state, created_at, ended_at }) =>
      isWorking(state) ? created_at : (ended_at ?? created_at),
    ),
  ];
}
