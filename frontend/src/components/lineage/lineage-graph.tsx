import type { LaneRow } from "./lanes";

const STEP = 14;
const DOT = 10;
const DOT_TOP = 5;
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

/** The graph's lines beside one version. Decorative: the list has the same information as text. */
export function LineageGraph({ row, above, width, highlighted }: LineageGraphProps) {
  const arriving = new Set(above?.below.map(({ to }) => to) ?? []);
  const middle = DOT_TOP + DOT / 2;
  return (
    <div aria-hidden className="relative shrink-0 self-stretch" style={{ width: width * STEP }}>
      {[...arriving].map((lane) => (
        <span
          key={lane}
          className="absolute top-0 border-l-[1.5px] border-border-strong"
          style={{ left: x(lane) - 0.75, height: middle }}
        />
      ))}
      <svg
        className="absolute left-0 w-full text-border-strong"
        style={{ top: middle, height: `calc(100% - ${middle}px)` }}
        viewBox={`0 0 ${width * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {row.below.map(({ from, to }) => (
          <path
            key={from}
            d={`M ${x(from)} 0 C ${x(from)} ${HEIGHT} ${x(to)} 0 ${x(to)} ${HEIGHT}`}
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <span
        className={`absolute size-2.5 rounded-full border-2 ${highlighted ? "border-success bg-success" : "border-accent-solid bg-raised"}`}
        style={{ left: x(row.lane) - DOT / 2, top: DOT_TOP }}
      />
    </div>
  );
}
