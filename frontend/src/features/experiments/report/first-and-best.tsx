import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { Table, type Column } from "@/components/ui/table";
import { formatCost } from "@/lib/format";

type Point = ExperimentReport["trend"][number];
type Place = "first" | "best" | "last";

interface Row {
  point: Point;
  places: Place[];
}

/** First, best and last iteration, without duplicates. */
export function milestonesOf({ trend, best }: ExperimentReport): Row[] {
  const scored = trend.filter(({ train }) => train?.value != null);
  const chosen: [Place, Point | undefined][] = [
    ["first", scored[0]],
    ["best", scored.find(({ iteration }) => iteration === best?.iteration)],
    ["last", scored.at(-1)],
  ];
  const rows = new Map<number, Row>();
  for (const [place, point] of chosen) {
    if (point !== undefined) {
      const row = rows.get(point.iteration) ?? { point, places: [] };
      row.places.push(place);
      rows.set(point.iteration, row);
    }
  }
  return [...rows.values()];
}

export function FirstAndBest({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  const rows = milestonesOf(report);
  if (rows.length === 0) {
    return null;
  }
  const columns: Column<Row>[] = [
    {
      key: "place",
      primary: true,
      header: t("experiments.timeline.iteration"),
      cell: ({ point, places }) => (
        <span className="grid">
          <span className="font-medium">
            {places.map((place) => t(`experiments.report.places.${place}`)).join(", ")}
          </span>
          <span className="text-xs text-ink-muted">
            {t("experiments.timeline.number", { number: point.iteration })} · {point.version_label}
          </span>
        </span>
      ),
    },
    {
      key: "train",
      header: t("experiments.timeline.train"),
      cell: ({ point }) => (point.train === null ? "–" : <IntervalBar mean={point.train} />),
    },
    {
      key: "holdout",
      header: t("experiments.timeline.holdout"),
      cell: ({ point }) => (point.holdout === null ? "–" : <IntervalBar mean={point.holdout} />),
    },
    {
      key: "cost",
      header: t("experiments.timeline.cost"),
      align: "right",
      cell: ({ point }) => <span className="tabular-nums">{formatCost(point.cost.total_usd)}</span>,
    },
  ];
  return (
    <Section title={t("experiments.report.milestones")}>
      <Table
        caption={t("experiments.report.milestones")}
        columns={columns}
        rows={rows}
        rowKey={({ point }) => String(point.iteration)}
      />
    </Section>
  );
}
