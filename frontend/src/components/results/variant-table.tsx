import { useTranslation } from "react-i18next";
import type { RunResults, VariantResults } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Badge } from "@/components/ui/badge";
import { Select } from "@/components/ui/select";
import { Table, type Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatTokens, formatCost, formatPercent, formatSeconds } from "@/lib/format";
import { findComparison } from "./figures";
import { IntervalBar } from "./interval-bar";
import { Section } from "./section";
import { ComparisonCell } from "./verdict";

interface NameProps {
  variant: VariantResults;
  /** False when every variant is on the price/score front: marking all of them is meaningless. */
  marksFront: boolean;
}

function Name({ variant, marksFront }: NameProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-medium wrap-anywhere">{variant.label}</span>
      {variant.is_simulated ? <SimulatedBadge /> : null}
      {marksFront && variant.is_on_front ? (
        <span title={t("results.variants.frontHint")}>
          <Badge tone="accent">{t("results.variants.front")}</Badge>
        </span>
      ) : null}
    </div>
  );
}

function Cases({ variant }: { variant: VariantResults }) {
  const { t } = useTranslation();
  const notes = [
    variant.failed > 0 ? t("results.variants.failed", { count: variant.failed }) : null,
    variant.malformed > 0 ? t("results.variants.malformed", { count: variant.malformed }) : null,
    variant.human_cases > 0 ? t("results.variants.human", { count: variant.human_cases }) : null,
  ].filter((note) => note !== null);
  return (
    <div className="grid tabular-nums">
      {variant.composite.cases}
      {notes.map((note) => (
        <span key={note} className="text-xs whitespace-nowrap text-ink-muted">
          {note}
        </span>
      ))}
    </div>
  );
}

function Latency({ variant }: { variant: VariantResults }) {
  const { t } = useTranslation();
  const { latency_p50_seconds: p50, latency_p95_seconds: p95 } = variant;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {p50 === null || p95 === null ? (
        <Unknown />
      ) : (
        t("results.variants.latencyValue", { p50: formatSeconds(p50), p95: formatSeconds(p95) })
      )}
    </span>
  );
}

function useVariantColumns(results: RunResults, baseline: number): Column<VariantResults>[] {
  const { t } = useTranslation();
  const name = results.variants[baseline]?.label ?? "";
  const marksFront = results.variants.some((variant) => !variant.is_on_front);
  const verdict: Column<VariantResults> = {
    key: "verdict",
    header: t("results.variants.verdict", { name }),
    cell: (variant) => {
      const comparison = findComparison(results.comparisons, baseline, variant.position);
      return comparison === undefined ? (
        <Badge tone="outline">{t("results.verdict.baseline")}</Badge>
      ) : (
        <ComparisonCell comparison={comparison} />
      );
    },
  };
  return [
    {
      key: "variant",
      header: t("results.variants.variant"),
      primary: true,
      className: "lg:min-w-44",
      cell: (variant) => <Name variant={variant} marksFront={marksFront} />,
    },
    {
      key: "score",
      header: t("results.variants.score"),
      cell: (variant) => (
        <IntervalBar mean={variant.composite} best={variant.position === results.best} />
      ),
    },
    ...(results.variants.length > 1 ? [verdict] : []),
    {
      key: "cases",
      header: t("results.variants.cases"),
      align: "right",
      cell: (variant) => <Cases variant={variant} />,
    },
    {
      key: "passed",
      header: t("results.variants.passRate"),
      align: "right",
      cell: ({ pass_rate: { value } }) => (value === null ? "–" : formatPercent(value)),
    },
    {
      key: "cost",
      header: t("results.variants.cost"),
      align: "right",
      cell: ({ cost_per_answer_usd: cost }) => (cost === null ? <Unknown /> : formatCost(cost)),
    },
    {
      key: "latency",
      header: t("results.variants.latency"),
      align: "right",
      cell: (variant) => <Latency variant={variant} />,
    },
    {
      key: "tokens",
      header: t("results.variants.tokens"),
      align: "right",
      cell: (variant) => (
        <span className="tabular-nums">
          {formatTokens(variant.input_tokens + variant.output_tokens)}
        </span>
      ),
    },
  ];
}

export interface VariantTableProps {
  results: RunResults;
  baseline: number;
  onBaselineChanged: (baseline: number) => void;
}

export function VariantTable({ results, baseline, onBaselineChanged }: VariantTableProps) {
  const { t } = useTranslation();
  const columns = useVariantColumns(results, baseline);
  return (
    <Section
      title={t("results.variants.title")}
      hint={t("results.variants.hint")}
      actions={
        results.variants.length > 1 ? (
          <label className="flex max-w-full flex-wrap items-center gap-2 text-sm text-ink-muted">
            <span className="shrink-0">{t("results.variants.baseline")}</span>
            <Select
              size="sm"
              className="w-64"
              aria-label={t("results.variants.baseline")}
              value={String(baseline)}
              options={results.variants.map(({ position, label }) => ({
                value: String(position),
                label,
              }))}
              onValueChanged={(value) => onBaselineChanged(Number(value))}
            />
          </label>
        ) : undefined
      }
    >
      <Table
        caption={t("results.variants.title")}
        columns={columns}
        rows={results.variants}
        rowKey={(variant) => String(variant.position)}
      />
    </Section>
  );
}
