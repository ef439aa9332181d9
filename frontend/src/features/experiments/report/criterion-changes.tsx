import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { Section } from "@/components/results/section";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Table, type Column } from "@/components/ui/table";
import { cn } from "@/lib/cn";
import { formatPercent } from "@/lib/format";

type Criterion = ExperimentReport["criteria"][number];

const shown = (value: number | null) => (value === null ? "–" : outOfTen(value));

/** Change of a criterion on a line from 0 to 10, with the numbers beside it. */
function ChangeLine({ first, best }: Criterion) {
  if (first === null || best === null) {
    return null;
  }
  const [left, right] = [Math.min(first, best), Math.max(first, best)];
  return (
    <span aria-hidden className="relative block h-2 w-40 rounded-full bg-surface-hover">
      <span
        className={cn("absolute h-2 rounded-full", best < first ? "bg-danger-solid" : "bg-success")}
        style={{ left: `${100 * left}%`, width: `${Math.max(1, 100 * (right - left))}%` }}
      />
      <span
        className="absolute -top-0.5 h-3 w-0.5 bg-ink"
        style={{ left: `calc(${100 * best}% - 1px)` }}
      />
    </span>
  );
}

export function CriterionChanges({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  if (report.criteria.length === 0) {
    return null;
  }
  const columns: Column<Criterion>[] = [
    {
      key: "name",
      primary: true,
      header: t("experiments.report.criterion"),
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    {
      key: "weight",
      header: t("experiments.report.weight"),
      align: "right",
      cell: ({ weight }) => formatPercent(weight),
    },
    {
      key: "first",
      header: t("experiments.report.places.first"),
      align: "right",
      cell: ({ first }) => <span className="tabular-nums">{shown(first)}</span>,
    },
    {
      key: "best",
      header: t("experiments.report.places.best"),
      align: "right",
      cell: ({ best }) => <span className="font-semibold tabular-nums">{shown(best)}</span>,
    },
    {
      key: "change",
      header: t("experiments.timeline.change"),
      align: "right",
      cell: ({ first, best }) => (
        <span className="tabular-nums">
          {first === null || best === null ? "–" : changeOutOfTen(best - first)}
        </span>
      ),
    },
    {
      key: "shift",
      header: t("experiments.report.shift"),
      hideHeader: true,
      className: "max-lg:hidden",
      cell: (criterion) => <ChangeLine {...criterion} />,
    },
  ];
  return (
    <Section title={t("experiments.report.criteria")} hint={t("experiments.report.criteriaHint")}>
      <Table
        caption={t("experiments.report.criteria")}
        columns={columns}
        rows={report.criteria}
        rowKey={({ name }) => name}
      />
    </Section>
  );
}
