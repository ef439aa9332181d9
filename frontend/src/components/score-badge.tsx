import { Check, Minus, X } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { GradeBadge } from "./grade-badge";
import { formatScore } from "./score-scale";

export interface ScoreBadgeProps {
  /** From 0 to 1; null when the scorer does not apply. */
  value: number | null;
  /** Null without a threshold: the colour follows the value. */
  passed: boolean | null;
  /** Accessible prefix of the number. */
  label: string;
}

const LOOKS = {
  passed: { tone: "success", Icon: Check },
  failed: { tone: "danger", Icon: X },
} as const;

/** A score with colour and icon; the icon carries the same information as the colour. */
export function ScoreBadge({ value, passed, label }: ScoreBadgeProps) {
  if (value === null) {
    return (
      <Badge tone="outline" icon={<Minus aria-hidden />}>
        <span className="sr-only">{label}</span>
      </Badge>
    );
  }
  if (passed === null) {
    return <GradeBadge value={value} label={label} />;
  }
  const { tone, Icon } = LOOKS[passed ? "passed" : "failed"];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />} className="tabular-nums">
      <span className="sr-only">{label}</span>
      {formatScore(value)}
    </Badge>
  );
}
