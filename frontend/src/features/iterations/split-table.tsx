import { useTranslation } from "react-i18next";
import type {
  HoldoutTest,
  IterationMetrics,
  MeanEstimate,
  TrainingChange,
  VariantComparison,
} from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { ComparisonCell } from "@/components/results/verdict";
import { changeOutOfTen } from "@/components/score-scale";
import { Table, type Column } from "@/components/ui/table";

interface Row {
  key: "train" | "holdout";
  mean: MeanEstimate;
  /** On training cases; not a test. */
  change: TrainingChange | null;
  comparison: VariantComparison | null;
  test: HoldoutTest | null;
}

/** What a row's comparison is with. On held-out cases, only versions that lead are tested. */
function Against({ row: { key, change, test } }: { row: Row }) {
  const { t } = useTranslation();
  if (key === "train") {
    return t(change === null ? "iterations.split.nothingBefore" : "iterations.split.previous");
  }
  if (test === null) {
    return t("iterations.split.notTested");
  }
  return test.look === null
    ? t("iterations.split.wornOut", { count: test.cases, looks: test.looks })
    : t("iterations.split.look", { look: test.look, alpha: test.alpha?.toPrecision(2) });
}

/** The difference with its interval, without a verdict. */
function Figures({ change: { difference, note } }: { change: TrainingChange }) {
  const { interval, value } = difference;
  if (value === null) {
    return null;
  }
  const range =
    interval === null
      ? ""
      : ` (${changeOutOfTen(interval.low)} – ${changeOutOfTen(interval.high)})`;
  return (
    <span className="grid">
      <span className="tabular-nums">{`${changeOutOfTen(value)}${range}`}</span>
      <span className="text-xs text-ink-muted">{note}</span>
    </span>
  );
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
      key: "comparison",
      header: t("iterations.split.comparison"),
      cell: (row) => (
        <div className="grid gap-1 max-lg:justify-items-end">
          <span className="max-w-72 text-xs text-ink-muted">
            <Against row={row} />
          </span>
          {row.comparison === null ? null : <ComparisonCell comparison={row.comparison} />}
          {row.change === null ? null : <Figures change={row.change} />}
        </div>
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
  const { train, holdout, change, against_first, holdout_test } = metrics;
  const rows: Row[] = [
    { key: "train", mean: train, change, comparison: null, test: null },
    ...(holdout === null
      ? []
      : [
          {
            key: "holdout" as const,
            mean: holdout,
            change: null,
            comparison: against_first,
            test: holdout_test ?? null,
          },
        ]),
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
