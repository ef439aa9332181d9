import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunResults, VariantResults, WeighedCriterion } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { Select } from "@/components/ui/select";
import { Table, type Column } from "@/components/ui/table";
import { formatPercent } from "@/lib/format";
import { Histogram } from "./histogram";
import { IntervalBar } from "./interval-bar";
import { Section } from "./section";

interface Row {
  criterion: WeighedCriterion;
  result: VariantResults["criteria"][number];
}

function useCriterionColumns(): Column<Row>[] {
  const { t } = useTranslation();
  return [
    {
      key: "criterion",
      header: t("results.criteria.criterion"),
      primary: true,
      cell: ({ criterion, result }) => (
        <div className="grid">
          <span className="font-medium wrap-anywhere">{criterion.name}</span>
          {result.missing > 0 ? (
            <span className="text-xs text-warning">
              {t("results.criteria.missing", { count: result.missing })}
            </span>
          ) : null}
        </div>
      ),
    },
    {
      key: "weight",
      header: t("results.criteria.weight"),
      align: "right",
      cell: ({ criterion: { weight } }) =>
        weight === 0 ? (
          <span className="text-xs text-ink-muted">{t("results.criteria.notCounted")}</span>
        ) : (
          formatPercent(weight)
        ),
    },
    {
      key: "mean",
      header: t("results.criteria.mean"),
      cell: ({ result }) => <IntervalBar mean={result.mean} />,
    },
    {
      key: "range",
      header: t("results.criteria.range"),
      align: "right",
      cell: ({ result: { minimum, maximum } }) => (
        <span className="whitespace-nowrap tabular-nums">
          {minimum === null || maximum === null
            ? "–"
            : `${outOfTen(minimum)} – ${outOfTen(maximum)}`}
        </span>
      ),
    },
    {
      key: "deviation",
      header: t("results.criteria.deviation"),
      align: "right",
      cell: ({ result: { standard_deviation: deviation } }) => (
        <span className="tabular-nums">
          {deviation === null ? "–" : `± ${outOfTen(deviation)}`}
        </span>
      ),
    },
    {
      key: "spread",
      header: t("results.criteria.spread"),
      cell: ({ result }) => <Histogram counts={result.distribution.counts} />,
    },
  ];
}

/** Criterion scores of each variant. */
export function CriterionTable({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(results.best ?? 0);
  const columns = useCriterionColumns();
  const variant = results.variants[chosen];
  if (variant === undefined || results.criteria.length === 0) {
    return null;
  }
  const rows = results.criteria.flatMap((criterion) => {
    const result = variant.criteria.find((each) => each.criterion === criterion.key);
    return result === undefined ? [] : [{ criterion, result }];
  });
  return (
    <Section
      title={t("results.criteria.title")}
      hint={t("results.criteria.hint")}
      actions={
        results.variants.length > 1 ? (
          <Select
            size="sm"
            className="w-64"
            aria-label={t("results.criteria.variant")}
            value={String(chosen)}
            options={results.variants.map(({ position, label }) => ({
              value: String(position),
              label,
            }))}
            onValueChanged={(value) => setChosen(Number(value))}
          />
        ) : undefined
      }
    >
      <Table
        caption={t("results.criteria.title")}
        columns={columns}
        rows={rows}
        rowKey={({ criterion }) => criterion.key}
      />
    </Section>
  );
}
