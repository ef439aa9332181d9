import { scaleLinear } from "@visx/scale";
import { useTranslation } from "react-i18next";
import type { AbTest } from "@/api/types";
import { Axes, MARGIN } from "@/components/charts/axes";
import { ChartFigure } from "@/components/charts/chart-figure";
import { changeOutOfTen } from "@/components/score-scale";

type Look = AbTest["looks"][number];

const AIR = 0.02;

function Plot({ looks, width, height }: { looks: readonly Look[]; width: number; height: number }) {
  const values = looks.flatMap(({ difference, low, high }) => [difference, low ?? 0, high ?? 0]);
  const x = scaleLinear({
    domain: [0, Math.max(...looks.map(({ pairs }) => pairs))],
    range: [MARGIN.left, width - MARGIN.right],
  });
  const y = scaleLinear({
    domain: [Math.min(0, ...values) - AIR, Math.max(0, ...values) + AIR],
    range: [height - MARGIN.bottom, MARGIN.top],
  });
  const path = (points: readonly [number, number][]) =>
    points.map(([pairs, value]) => `${x(pairs)},${y(value)}`).join(" ");
  const bounded = looks.flatMap(({ pairs, low, high }) =>
    low === null || high === null ? [] : [{ pairs, low, high }],
  );
  const band = [
    ...bounded.map(({ pairs, high }): [number, number] => [pairs, high]),
    ...bounded.toReversed().map(({ pairs, low }): [number, number] => [pairs, low]),
  ];
  return (
    <svg width={width} height={height}>
      <Axes
        width={width}
        height={height}
        xTicks={x.ticks(5).map((value) => ({ at: x(value), label: String(value) }))}
        yTicks={y.ticks(4).map((value) => ({ at: y(value), label: changeOutOfTen(value) }))}
      />
      <polygon points={path(band)} className="fill-chart-1 opacity-15" />
      <line
        x1={MARGIN.left}
        x2={width - MARGIN.right}
        y1={y(0)}
        y2={y(0)}
        className="stroke-border-strong"
        strokeDasharray="4 4"
      />
      <polyline
        points={path(looks.map(({ pairs, difference }) => [pairs, difference]))}
        className="fill-none stroke-chart-1 stroke-2"
      />
    </svg>
  );
}

/** How the difference and its interval developed with the number of pairs. */
export function DifferenceChart({ looks }: { looks: readonly Look[] }) {
  const { t } = useTranslation();
  const last = looks.at(-1);
  if (last === undefined) {
    return <p className="text-sm text-ink-muted">{t("abTests.chart.empty")}</p>;
  }
  return (
    <ChartFigure
      label={t("abTests.chart.label")}
      summary={t("abTests.chart.summary", {
        difference: changeOutOfTen(last.difference),
        count: last.pairs,
      })}
      height={240}
      table={{
        columns: [
          t("abTests.chart.pairs"),
          t("abTests.chart.difference"),
          t("abTests.chart.range"),
        ],
        rows: looks.map(({ pairs, difference, low, high }) => [
          String(pairs),
          changeOutOfTen(difference),
          low === null || high === null ? "—" : `${changeOutOfTen(low)} … ${changeOutOfTen(high)}`,
        ]),
      }}
    >
      {(size) => <Plot looks={looks} {...size} />}
    </ChartFigure>
  );
}
