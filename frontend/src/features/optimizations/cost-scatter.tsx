import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { Axes, MARGIN } from "@/components/charts/axes";
import { ChartFigure } from "@/components/charts/chart-figure";
import { outOfTen } from "@/components/score-scale";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { formatUsd } from "@/lib/format";
import { useCandidateWords } from "./candidate-table";
import { frontOf, pointsOf, scaleOf, type CostPoint } from "./cost-points";

const HEIGHT = 240;
const TICKS = [0, 0.5, 1];

interface PlotProps {
  points: readonly CostPoint[];
  leader: number;
  width: number;
  nameOf: (number: number) => string;
}

function Plot({ points, leader, width, nameOf }: PlotProps) {
  const costs = scaleOf(points.map(({ cost }) => cost));
  const scores = scaleOf(points.map(({ score }) => score));
  const x = (cost: number) =>
    MARGIN.left + 12 + costs.share(cost) * (width - MARGIN.left - MARGIN.right - 24);
  const y = (score: number) =>
    HEIGHT - MARGIN.bottom - 8 - scores.share(score) * (HEIGHT - MARGIN.bottom - MARGIN.top - 16);
  const front = frontOf(points);
  return (
    <svg width={width} height={HEIGHT} aria-hidden>
      <Axes
        width={width}
        height={HEIGHT}
        xTicks={TICKS.map((share) => ({
          at: x(costs.at(share)),
          label: formatUsd(String(costs.at(share))),
        }))}
        yTicks={TICKS.map((share) => ({
          at: y(scores.at(share)),
          label: outOfTen(scores.at(share)),
        }))}
      />
      <polyline
        points={front.map(({ cost, score }) => `${x(cost)},${y(score)}`).join(" ")}
        fill="none"
        className="stroke-success"
        strokeDasharray="4 4"
      />
      {points.map(({ number, cost, score }) => (
        <g key={number}>
          <circle
            cx={x(cost)}
            cy={y(score)}
            r={5}
            className={number === leader ? "fill-success" : "fill-accent-solid"}
            fillOpacity={number === leader || number === 0 ? 1 : 0.6}
          />
          {number === leader || number === 0 ? (
            <text
              x={x(cost)}
              y={y(score) - 9}
              textAnchor={costs.share(cost) > 0.7 ? "end" : "start"}
              className="fill-ink stroke-raised stroke-[3px] text-[11px] [paint-order:stroke]"
            >
              {nameOf(number)}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  );
}

/** Training score of each candidate against the cost of its answers. */
export function CostScatter({ optimization }: { optimization: Optimization }) {
  const { t } = useTranslation();
  const { nameOf } = useCandidateWords();
  const points = pointsOf(optimization);
  const leader = optimization.finalist ?? optimization.progress.at(-1)?.best ?? 0;
  const best = points.find(({ number }) => number === leader);
  if (best === undefined) {
    return null;
  }
  const title = t("optimizations.scatter.title");
  return (
    <Card className="min-w-0" aria-label={title}>
      <CardHeader title={title} description={t("optimizations.scatter.hint")} />
      <CardContent>
        <ChartFigure
          label={title}
          summary={t("optimizations.scatter.summary", {
            name: nameOf(leader),
            score: outOfTen(best.score),
            cost: formatUsd(String(best.cost)),
          })}
          height={HEIGHT}
          table={{
            columns: [
              t("optimizations.columns.candidate"),
              t("optimizations.columns.mean"),
              t("optimizations.scatter.cost"),
            ],
            rows: points.map(({ number, score, cost }) => [
              nameOf(number),
              outOfTen(score),
              formatUsd(String(cost)),
            ]),
          }}
        >
          {({ width }) => <Plot points={points} leader={leader} width={width} nameOf={nameOf} />}
        </ChartFigure>
      </CardContent>
    </Card>
  );
}
