import { Check, Minus, X } from "lucide-react";
import { formatScore } from "./score-scale";

/** Background from red over yellow to green, with readable text in both themes. */
export function gradeBackground(value: number): string {
  const share = Math.max(0, Math.min(1, value)) * 2;
  const [low, high, part] =
    share <= 1 ? ["danger", "warning", share] : ["warning", "success", share - 1];
  return `color-mix(in oklab, var(--${high}-bg) ${Math.round(part * 100)}%, var(--${low}-bg))`;
}

function Mark({ value }: { value: number }) {
  if (value >= 0.8) {
    return <Check aria-hidden className="size-3" />;
  }
  return value >= 0.5 ? (
    <Minus aria-hidden className="size-3" />
  ) : (
    <X aria-hidden className="size-3" />
  );
}

export interface GradeBadgeProps {
  /** From 0 to 1. */
  value: number;
  /** Accessible prefix of the number. */
  label: string;
}

/** Grade on a colour scale; the number and the mark carry the same information without colour. */
export function GradeBadge({ value, label }: GradeBadgeProps) {
  return (
    <span
      style={{ backgroundColor: gradeBackground(value) }}
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium text-ink tabular-nums"
    >
      <Mark value={value} />
      <span className="sr-only">{label}</span>
      {formatScore(value)}
    </span>
  );
}
