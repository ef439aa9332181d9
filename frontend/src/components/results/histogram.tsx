import { scaleBand, scaleLinear } from "@visx/scale";
import { useTranslation } from "react-i18next";

const WIDTH = 110;
const HEIGHT = 28;

/** Number of cases in each tenth of the scale; counts are available to screen readers. */
export function Histogram({ counts }: { counts: readonly number[] }) {
  const { t } = useTranslation();
  const words = t("results.criteria.histogram", { counts: counts.join(", ") });
  const x = scaleBand({ domain: counts.map((_, at) => at), range: [0, WIDTH], padding: 0.15 });
  const y = scaleLinear({ domain: [0, Math.max(...counts, 1)], range: [0, HEIGHT - 2] });
  return (
    <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} className="max-lg:ml-auto">
      <title>{words}</title>
      <line
        x1={0}
        x2={WIDTH}
        y1={HEIGHT - 0.5}
        y2={HEIGHT - 0.5}
        className="stroke-border-strong"
      />
      {counts.map((count, at) =>
        count === 0 ? null : (
          <rect
            key={at}
            x={x(at) ?? 0}
            width={x.bandwidth()}
            y={HEIGHT - 1 - Math.max(2, y(count))}
            height={Math.max(2, y(count))}
            className="fill-chart-1"
          />
        ),
      )}
    </svg>
  );
}
