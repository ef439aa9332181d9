import type { TFunction } from "i18next";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { cn } from "@/lib/cn";
import { nextThumb } from "./scales";

export interface ThumbToggleProps {
  /** 0, 1 or null. */
  answer: 0 | 1 | null;
  onAnswered: (answer: 0 | 1) => void;
  tabIndex?: number;
  /** Passed down: a grid may show a hundred of them. */
  t: TFunction;
}

const LOOKS = {
  none: "text-ink-subtle hover:bg-surface-hover hover:text-ink",
  up: "bg-success-bg text-success",
  down: "bg-danger-bg text-danger",
} as const;

/** Thumb toggle of a grid cell: each click switches it. */
export function ThumbToggle({ answer, onAnswered, tabIndex, t }: ThumbToggleProps) {
  const state = answer === null ? "none" : answer === 1 ? "up" : "down";
  const Icon = answer === 0 ? ThumbsDown : ThumbsUp;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={t(`humanScore.thumb.${state}`)}
      className={cn(
        "-my-1 flex size-7 items-center justify-center rounded-md transition-colors duration-150",
        LOOKS[state],
      )}
      onClick={() => onAnswered(nextThumb(answer))}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
