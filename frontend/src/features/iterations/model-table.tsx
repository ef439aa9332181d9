import { useTranslation } from "react-i18next";
import type { IterationMetrics } from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatPercent, formatSeconds } from "@/lib/format";

type Variant = IterationMetrics["variants"][number];

function bestOf(variants: readonly Variant[]): string | undefined {
  return [...variants].sort((one, other) => (other.train.value ?? -1) - (one.train.value ?? -1))[0]
    ?.key;
}

function useModelColumns(variants: readonly Variant[]): Column<Variant>[] {
  const { t } = useTranslation();
  const best = bestOf(variants);
  // When all are simulated the page says so; the badge only distinguishes mixed rows.
  const isMixed = !variants.every((each) => each.is_simulated);
  const has = (field: "holdout" | "win_rate") => variants.some((each) => each[field] !== null);
  const columns: (Column<Variant> | null)[] = [
    {
      key: "model",
      header: t("iterations.models.model"),
      primary: true,
      className: "lg:min-w-44",
      cell: (variant) => (
        <div className="grid gap-0.5">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{variant.label}</span>
            {variant.is_simulated && isMixed ? <SimulatedBadge /> : null}
          </span>
          {variant.failed > 0 ? (
            <span className="text-xs text-danger">
              {t("iterations.failed", { count: variant.failed })}
            </span>
          ) : null}
        </div>
      ),
    },
    {
      key: "train",
      header: t("charts.trend.train"),
      cell: ({ key, train }) => <IntervalBar mean={train} best={key === best} />,
    },
    has("holdout")
      ? {
          key: "holdout",
          header: t("charts.trend.holdout"),
          cell: ({ holdout }) => (holdout === null ? "–" : <IntervalBar mean={holdout} />),
        }
      : null,
    has("win_rate")
      ? {
          key: "wins",
          header: t("results.wins.rate"),
          align: "right",
          className: "whitespace-nowrap",
          cell: ({ win_rate }) => (win_rate?.value == null ? "–" : formatPercent(win_rate.value)),
        }
      : null,
    {
      key: "cost",
      header: t("results.variants.cost"),
      align: "right",
      cell: ({ cost_per_answer_usd: cost }) => (cost === null ? "–" : formatCost(cost)),
    },
    {
      key: "total",
      header: t("results.kpi.cost"),
      align: "right",
      cell: ({ cost_usd, cost_per_answer_usd: cost }) =>
        cost === null ? "–" : formatCost(cost_usd),
    },
    {
      key: "latency",
      header: t("results.variants.latency"),
      align: "right",
      cell: ({ latency_p50_seconds: seconds }) => (seconds === null ? "–" : formatSeconds(seconds)),
    },
  ];
  return columns.filter((column) => column !== null);
}

/** Metrics of every configuration. */
export function ModelTable({ metrics }: { metrics: IterationMetrics }) {
  const { t } = useTranslation();
  const columns = useModelColumns(metrics.variants);
  return (
    <Section title={t("iterations.models.title")} hint={t("results.variants.hint")}>
      <Table
        caption={t("iterations.models.title")}
        columns={columns}
        rows={metrics.variants}
        rowKey={({ key }) => key}
      />
    </Section>
  );
}
