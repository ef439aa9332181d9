import type { TFunction } from "i18next";
import { Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import { Table, type Column } from "@/components/ui/table";
import { formatCost, formatSeconds } from "@/lib/format";

type Variant = ExperimentReport["variants"][number];

function useColumns(report: ExperimentReport): Column<Variant>[] {
  const { t } = useTranslation();
  return [
    {
      key: "model",
      primary: true,
      header: t("experiments.report.model"),
      cell: ({ label }) => (
        <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {label}
          {label === report.recommended?.label ? (
            <Badge tone="success">{t("experiments.report.recommended")}</Badge>
          ) : null}
        </span>
      ),
    },
    {
      key: "train",
      header: t("experiments.timeline.train"),
      cell: ({ train }) => <IntervalBar mean={train} />,
    },
    {
      key: "holdout",
      header: t("experiments.timeline.holdout"),
      cell: ({ holdout }) => (holdout === null ? "–" : <IntervalBar mean={holdout} />),
    },
    {
      key: "price",
      header: t("experiments.report.perAnswer"),
      align: "right",
      cell: ({ cost_per_answer_usd: price }) => (
        <span className="tabular-nums">{price === null ? "–" : formatCost(price)}</span>
      ),
    },
    {
      key: "time",
      header: t("experiments.report.time"),
      align: "right",
      cell: ({ latency_p50_seconds: seconds }) => (
        <span className="tabular-nums">{seconds === null ? "–" : formatSeconds(seconds)}</span>
      ),
    },
  ];
}

function describeParameters(parameters: Record<string, unknown>, t: TFunction): string {
  const list = Object.entries(parameters)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${JSON.stringify(value)}`)
    .join(", ");
  return list === ""
    ? t("experiments.report.defaultParameters")
    : t("experiments.report.parameters", { list });
}

export function Recommended({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  const columns = useColumns(report);
  const { recommended, pruned, variants } = report;
  if (recommended === null) {
    return null;
  }
  return (
    <Section title={t("experiments.report.models")} hint={t("experiments.report.modelsHint")}>
      <Card>
        <CardContent className="grid gap-2">
          <p className="flex items-center gap-2 text-base font-semibold">
            <Star aria-hidden className="size-4 text-success" />
            {recommended.label}
          </p>
          <ul className="list-disc pl-5 text-sm text-ink-muted">
            {recommended.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
            <li>{describeParameters(recommended.parameters, t)}</li>
            {pruned.map(({ variant, label, message }) => (
              <li key={variant}>{t("experiments.report.prunedOne", { label, message })}</li>
            ))}
          </ul>
        </CardContent>
      </Card>
      <Table
        caption={t("experiments.report.models")}
        columns={columns}
        rows={variants}
        rowKey={({ key }) => key}
      />
    </Section>
  );
}
