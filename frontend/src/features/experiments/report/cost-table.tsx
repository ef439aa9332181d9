import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { Section } from "@/components/results/section";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatNumber, formatPercent } from "@/lib/format";

const PHASES = ["execution", "judging", "refining", "total"] as const;
type Phase = (typeof PHASES)[number];

const shareOf = (part: number, whole: number) => (whole === 0 ? "–" : formatPercent(part / whole));

export function CostTable({ report: { cost, tokens } }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  const usd = {
    execution: cost.execution_usd,
    judging: cost.judging_usd,
    refining: cost.refining_usd,
    total: cost.total_usd,
  };
  const columns: Column<Phase>[] = [
    {
      key: "phase",
      primary: true,
      header: t("experiments.report.phase"),
      cell: (phase) => (
        <span className="font-medium">{t(`experiments.report.phases.${phase}`)}</span>
      ),
    },
    {
      key: "cost",
      header: t("experiments.timeline.cost"),
      align: "right",
      cell: (phase) => <span className="tabular-nums">{formatCost(usd[phase])}</span>,
    },
    {
      key: "share",
      header: t("experiments.report.costShare"),
      align: "right",
      cell: (phase) => (
        <span className="tabular-nums">{shareOf(Number(usd[phase]), Number(usd.total))}</span>
      ),
    },
    {
      key: "tokens",
      header: t("experiments.report.tokens"),
      align: "right",
      cell: (phase) => <span className="tabular-nums">{formatNumber(tokens[phase])}</span>,
    },
    {
      key: "tokenShare",
      header: t("experiments.report.tokenShare"),
      align: "right",
      cell: (phase) => <span className="tabular-nums">{shareOf(tokens[phase], tokens.total)}</span>,
    },
  ];
  return (
    <Section title={t("experiments.report.costs")} hint={t("experiments.report.costsHint")}>
      <Table
        caption={t("experiments.report.costs")}
        columns={columns}
        rows={PHASES}
        rowKey={(phase) => phase}
        rowClassName={(phase) => (phase === "total" ? "font-semibold" : undefined)}
      />
    </Section>
  );
}
