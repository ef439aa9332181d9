import { Check, Minus, X } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";

/** "0.82": two digits tell scores apart. */
export function formatScore(value: number): string {
  return value.toFixed(2);
}

export interface ScoreBadgeProps {
  /** From 0 to 1; null when the scorer does not apply. */
  value: number | null;
  /** Null where there is no threshold. */
  passed: boolean | null;
  /** Read out before the number. */
  label: string;
}

const LOOKS = {
  passed: { tone: "success", Icon: Check },
  failed: { tone: "danger", Icon: X },
} as const;

function toneOf(value: number): BadgeTone {
  if (value >= 0.8) {
    return "success";
  }
  return value >= 0.5 ? "warning" : "danger";
}

/** A score in words and colour: the mark says the same as the colour, the number says it exactly. */
export function ScoreBadge({ value, passed, label }: ScoreBadgeProps) {
  if (value === null) {
    return (
      <Badge tone="outline" icon={<Minus aria-hidden />}>
        <span className="sr-only">{label}</span>
      </Badge>
    );
  }
  const look = passed === null ? null : LOOKS[passed ? "passed" : "failed"];
  return (
    <Badge
      tone={look?.tone ?? toneOf(value)}
      icon={look === null ? undefined : <look.Icon aria-hidden />}
      className="tabular-nums"
    >
      <span className="sr-only">{label}</span>
      {formatScore(value)}
    </Badge>
  );
}
