import { useTranslation } from "react-i18next";
import type { ExperimentComparison } from "@/api/types";
import { Section } from "@/components/results/section";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Table, type Column } from "@/components/ui/table";

type Side = ExperimentComparison["left"];

interface Row {
  name: string;
  left: number | null;
  right: number | null;
}

/** Criteria by name: those of the left side, then those only on the right. */
export function criteriaOf(left: Side, right: Side): Row[] {
  const names = new Set([...left.criteria, ...right.criteria].map(({ name }) => name));
  const mean = (side: Side, name: string) =>
    side.criteria.find((criterion) => criterion.name === name)?.mean ?? null;
  return [...names].map((name) => ({ name, left: mean(left, name), right: mean(right, name) }));
}

const shown = (value: number | null) => (
  <span className="tabular-nums">{value === null ? "–" : outOfTen(value)}</span>
);

export function CriteriaSideBySide({ left, right }: { left: Side; right: Side }) {
  const { t } = useTranslation();
  const rows = criteriaOf(left, right);
  if (rows.length === 0) {
    return null;
  }
  const columns: Column<Row>[] = [
    {
      key: "name",
      primary: true,
      header: t("experiments.report.criterion"),
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    {
      key: "left",
      header: left.summary.name,
      align: "right",
      cell: (row) => shown(row.left),
    },
    {
      key: "right",
      header: right.summary.name,
      align: "right",
      cell: (row) => shown(row.right),
    },
    {
      key: "difference",
      header: t("experiments.compare.difference"),
      align: "right",
      cell: (row) => (
        <span className="tabular-nums">
          {row.left === null || row.right === null ? "–" : changeOutOfTen(row.right - row.left)}
        </span>
      ),
    },
  ];
  return (
    <Section title={t("experiments.compare.criteria")} hint={t("experiments.compare.criteriaHint")}>
      <Table
        caption={t("experiments.compare.criteria")}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
      />
    </Section>
  );
}
