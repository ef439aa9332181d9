import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { nextThumb } from "./scales";

export interface ThumbToggleProps {
  /** 0, 1 or null. */
  answer: number | null;
  onAnswered: (answer: 0 | 1) => void;
  disabled?: boolean;
}

const LOOKS = { none: "text-ink-subtle", up: "text-success", down: "text-danger" } as const;

/** One thumb for a cell of a grid: every click turns it. */
export function ThumbToggle({ answer, onAnswered, disabled = false }: ThumbToggleProps) {
  const { t } = useTranslation();
  const state = answer === null ? "none" : answer === 1 ? "up" : "down";
  const Icon = answer === 0 ? ThumbsDown : ThumbsUp;
  return (
    <Button
      variant="ghost"
      size="sm"
      iconOnly
      disabled={disabled}
      aria-label={t(`humanScore.thumb.${state}`)}
      className={cn(LOOKS[state])}
      onClick={() => onAnswered(nextThumb(answer))}
    >
      <Icon aria-hidden className={state === "none" ? undefined : "fill-current"} />
    </Button>
  );
}
