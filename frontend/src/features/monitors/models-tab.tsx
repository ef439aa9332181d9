import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitoredModel, MonitoredModels } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { AdviceCard } from "@/components/results/advice-card";
import { adviceNames } from "@/components/results/model-advice";
import { formatScore } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty-state";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatCost, formatSeconds } from "@/lib/format";
import { monitoredModelsQuery } from "./queries";
import type { MonitorTabProps } from "./tab-props";

function useModelColumns(): Column<MonitoredModel>[] {
  const { t } = useTranslation();
  const known = (value: number | null, format: (value: number) => string) =>
    value === null ? <Unknown /> : <span className="tabular-nums">{format(value)}</span>;
  const cost = (value: string | null) =>
    value === null ? <Unknown /> : <span className="tabular-nums">{formatCost(value)}</span>;
  return [
    {
      key: "model",
      primary: true,
      header: t("monitors.models.columns.model"),
      cell: ({ label }) => <span className="font-medium wrap-anywhere">{label}</span>,
    },
    {
      key: "score",
      header: t("monitors.models.columns.score"),
      align: "right",
      cell: ({ score }) => known(score, formatScore),
    },
    {
      key: "p50",
      header: t("monitors.models.columns.p50"),
      align: "right",
      cell: ({ p50_seconds: seconds }) => known(seconds, formatSeconds),
    },
    {
      key: "p95",
      header: t("monitors.models.columns.p95"),
      align: "right",
      cell: ({ p95_seconds: seconds }) => known(seconds, formatSeconds),
    },
    {
      key: "answer",
      header: t("monitors.models.columns.answer"),
      align: "right",
      cell: ({ answer_usd }) => cost(answer_usd),
    },
    {
      key: "month",
      header: t("monitors.models.columns.month"),
      align: "right",
      cell: ({ month_usd }) => cost(month_usd),
    },
  ];
}

function Advice({ found: { advice, models } }: { found: MonitoredModels }) {
  const { t } = useTranslation();
  if (advice === null) {
    return null;
  }
  const { name, leading } = adviceNames(advice.best_value, models);
  return (
    <>
      <section aria-label={t("monitors.models.advice")} className="grid gap-4 lg:grid-cols-3">
        <h2 className="sr-only">{t("monitors.models.advice")}</h2>
        <AdviceCard
          question="mostAccurate"
          advice={advice.most_accurate}
          models={models}
          unit="checks"
        />
        <AdviceCard question="fastest" advice={advice.fastest} models={models} unit="checks" />
        <AdviceCard question="bestValue" advice={advice.best_value} models={models} unit="checks" />
      </section>
      {advice.saving_month_usd === null || name === null ? null : (
        <Alert tone="success" live={false}>
          {t("monitors.models.saving", {
            name,
            leading,
            cost: formatCost(advice.saving_month_usd),
          })}
        </Alert>
      )}
    </>
  );
}

/** Comparison of the models of a monitor. */
export function ModelsTab({ at }: MonitorTabProps) {
  const { t } = useTranslation();
  const models = useQuery(monitoredModelsQuery(at));
  const columns = useModelColumns();
  if (models.isPending) {
    return <TableSkeleton rows={3} />;
  }
  if (models.data === undefined) {
    return (
      <ProblemState
        error={models.error}
        retrying={models.isFetching}
        onRetry={() => void models.refetch()}
      />
    );
  }
  const found = models.data;
  if (found.models.length === 0) {
    return (
      <EmptyState
        icon={<Cpu />}
        title={t("monitors.models.empty")}
        description={t("monitors.models.emptyHint")}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="text-sm text-ink-muted">
        {t("monitors.models.basis", { count: found.checks })}
      </p>
      <Advice found={found} />
      <Table
        caption={t("monitors.tabs.models")}
        columns={columns}
        rows={found.models}
        rowKey={({ key }) => key}
      />
    </div>
  );
}
