import type { LaneRow } from "./lanes";

const STEP = 14;
const DOT = 20;
const HEIGHT = 100;

function x(lane: number): number {
  return lane * STEP + STEP / 2;
}

export interface LineageGraphProps {
  row: LaneRow;
  above: LaneRow | undefined;
  width: number;
  highlighted: boolean;
}

/** The lines beside one version. The list says the same in words. */
export function LineageGraph({ row, above, width, highlighted }: LineageGraphProps) {
  const arriving = new Set(above?.below.map(({ to }) => to) ?? []);
  return (
    <div aria-hidden className="relative shrink-0 self-stretch" style={{ width: width * STEP }}>
      <svg
        className="absolute inset-0 size-full text-border-strong"
        viewBox={`0 0 ${width * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {[...arriving].map((lane) => (
          <line
            key={`in-${lane}`}
            x1={x(lane)}
            x2={x(lane)}
            y1={0}
            y2={DOT}
            stroke="currentColor"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {row.below.map(({ from, to }) => (
          <path
            key={`out-${from}`}
            d={`M ${x(from)} ${DOT} C ${x(from)} ${HEIGHT} ${x(to)} ${DOT} ${x(to)} ${HEIGHT}`}
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <span
        className={`absolute top-[calc(20%-5px)] size-2.5 rounded-full border-2 ${highlighted ? "border-success bg-success" : "border-accent-solid bg-raised"}`}
        style={{ left: x(row.lane) - 5 }}
      />
    </div>
  );
}
