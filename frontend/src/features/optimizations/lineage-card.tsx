import { useTranslation } from "react-i18next";
import type { Candidate, Optimization } from "@/api/types";
import { outOfTen } from "@/components/score-scale";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { cn } from "@/lib/cn";
import { useCandidateWords } from "./candidate-table";
import { placeCandidates, ROW, type Place } from "./lineage-places";

const NODE = { width: 152, height: 40 };
const GAP = 28;
const COLUMN = NODE.width + GAP;

function curveOf(from: Place, to: Place): string {
  if (from.column === to.column) {
    const middle = from.column * COLUMN + NODE.width / 2;
    return `M ${middle} ${from.row * ROW + NODE.height} V ${to.row * ROW}`;
  }
  const start = from.column * COLUMN + NODE.width;
  const end = to.column * COLUMN;
  const [top, bottom] = [from, to].map(({ row }) => row * ROW + NODE.height / 2) as [
    number,
    number,
  ];
  const middle = (start + end) / 2;
  return `M ${start} ${top} C ${middle} ${top} ${middle} ${bottom} ${end} ${bottom}`;
}

function Edge({ from, to }: { from: Place; to: Place }) {
  return <path d={curveOf(from, to)} fill="none" stroke="currentColor" strokeWidth={1.5} />;
}

function Node(props: { place: Place; candidate: Candidate; leads: boolean; onOpened: () => void }) {
  const { place, candidate, leads, onOpened } = props;
  const { nameOf, originOf } = useCandidateWords();
  return (
    <button
      type="button"
      title={originOf(candidate)}
      onClick={onOpened}
      className={cn(
        "absolute flex items-center justify-between gap-2 rounded-md border bg-raised px-3 text-left text-sm hover:border-accent-solid",
        leads ? "border-success font-medium" : "border-border-strong",
        candidate.state === "dropped" && "border-dashed text-ink-muted",
      )}
      style={{ ...NODE, left: place.column * COLUMN, top: place.row * ROW }}
    >
      <span className="truncate">{nameOf(candidate.number)}</span>
      <span className="text-xs text-ink-muted tabular-nums">
        {candidate.mean === null ? "…" : outOfTen(candidate.mean)}
      </span>
    </button>
  );
}

export interface LineageCardProps {
  optimization: Optimization;
  onOpened: (number: number) => void;
}

/** Which candidate came from which, generation by generation. */
export function LineageCard({ optimization, onOpened }: LineageCardProps) {
  const { t } = useTranslation();
  const { candidate_list: candidates, finalist, progress } = optimization;
  const leader = finalist ?? progress.at(-1)?.best ?? 0;
  const places = placeCandidates(candidates);
  const columns = Math.max(0, ...[...places.values()].map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...[...places.values()].map(({ row }) => row)) + 1;
  const size = { width: columns * COLUMN - GAP, height: rows * ROW - (ROW - NODE.height) };
  return (
    <Card className="min-w-0 flex-1" aria-labelledby="lineage-heading">
      <CardHeader
        id="lineage-heading"
        title={t("optimizations.lineage.title")}
        description={t("optimizations.lineage.hint")}
      />
      <CardContent>
        <div
          role="group"
          aria-labelledby="lineage-heading"
          tabIndex={0}
          className="overflow-auto pb-2"
        >
          <div className="relative" style={size}>
            <svg aria-hidden className="absolute inset-0 text-border-strong" {...size}>
              {candidates.flatMap(({ number, parents }) =>
                parents.map((parent) => {
                  const [from, to] = [places.get(parent), places.get(number)];
                  return from === undefined || to === undefined ? null : (
                    <Edge key={`${parent}-${number}`} from={from} to={to} />
                  );
                }),
              )}
            </svg>
            {candidates.map((candidate) => {
              const place = places.get(candidate.number);
              return place === undefined ? null : (
                <Node
                  key={candidate.number}
                  place={place}
                  candidate={candidate}
                  leads={candidate.number === leader}
                  onOpened={() => onOpened(candidate.number)}
                />
              );
            })}
          </div>
        </div>
      </CardContent>
    </Card>
  );
}
