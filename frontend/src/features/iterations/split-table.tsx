import { useTranslation } from "react-i18next";
import type { IterationMetrics, MeanEstimate, VariantComparison } from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { ComparisonCell } from "@/components/results/verdict";
import { Table, type Column } from "@/components/ui/table";

interface Row {
  key: "train" | "holdout";
  mean: MeanEstimate;
  change: VariantComparison | null;
}

function useSplitColumns(): Column<Row>[] {
  const { t } = useTranslation();
  return [
    {
      key: "cases",
      header: t("iterations.cases.label"),
      primary: true,
      cell: ({ key }) => (
        <div className="grid">
          <span className="font-medium">{t(`iterations.split.${key}`)}</span>
          <span className="text-xs text-ink-muted">{t(`iterations.split.${key}Hint`)}</span>
        </div>
      ),
    },
    {
      key: "score",
      header: t("results.variants.score"),
      cell: ({ mean }) => <IntervalBar mean={mean} />,
    },
    {
      key: "count",
      header: t("results.variants.cases"),
      align: "right",
      cell: ({ mean }) => mean.cases,
    },
    {
      key: "change",
      header: t("iterations.split.change"),
      cell: ({ change }) =>
        change === null ? (
          <span className="text-ink-muted">{t("iterations.split.nothingBefore")}</span>
        ) : (
          <ComparisonCell comparison={change} />
        ),
    },
  ];
}

/**
 * Training and holdout scores side by side: an improvement only on training cases is overfitting.
 */
export function SplitTable({ metrics }: { metrics: IterationMetrics }) {
  const { t } = useTranslation();
  const columns = useSplitColumns();
  const { train, holdout, change, holdout_change } = metrics;
  const rows: Row[] = [
    { key: "train", mean: train, change },
    ...(holdout === null
      ? []
      : [{ key: "holdout" as const, mean: holdout, change: holdout_change }]),
  ];
  return (
    <Section title={t("iterations.split.title")} hint={t("iterations.split.hint")}>
      <Table
        caption={t("iterations.split.title")}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
      />
      {holdout === null ? (
        <p className="text-sm text-ink-muted">{t("iterations.split.none")}</p>
      ) : null}
    </Section>
  );
}
