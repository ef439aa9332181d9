import { Check, ThumbsDown, ThumbsUp, X, type LucideIcon } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { Question } from "@/api/types";
import { cn } from "@/lib/cn";
import { ANSWERS } from "./scales";

const ICONS: Record<Question, readonly LucideIcon[]> = {
  thumbs: [ThumbsDown, ThumbsUp],
  pass_fail: [X, Check],
  rating: [],
};

const SIZES = {
  md: "h-10 min-w-10 px-3 text-sm [&_svg]:size-4",
  lg: "h-12 min-w-14 px-4 text-base [&_svg]:size-5",
} as const;

const LOOKS = {
  low: "data-[state=checked]:border-danger data-[state=checked]:bg-danger-bg data-[state=checked]:text-danger",
  high: "data-[state=checked]:border-success data-[state=checked]:bg-success-bg data-[state=checked]:text-success",
  between:
    "data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-bg data-[state=checked]:text-on-accent-bg",
} as const;

function lookOf(question: Question, answer: number): string {
  if (question === "rating") {
    return LOOKS.between;
  }
  return answer === 0 ? LOOKS.low : LOOKS.high;
}

export interface AnswerControlProps {
  /** Accessible name of the group. */
  label: string;
  question: Question;
  /** Null while there is none. */
  answer: number | null;
  onAnswered: (answer: number) => void;
  size?: keyof typeof SIZES;
  disabled?: boolean;
}

/** Thumbs, pass/fail, or one to five as a radio group. */
export function AnswerControl(props: AnswerControlProps) {
  const { label, question, answer, onAnswered, size = "md", disabled = false } = props;
  const { t } = useTranslation();
  return (
    <RadioGroup.Root
      aria-label={label}
      orientation="horizontal"
      value={answer === null ? "" : String(answer)}
      onValueChange={(value) => onAnswered(Number(value))}
      disabled={disabled}
      className="flex flex-wrap gap-2"
    >
      {ANSWERS[question].map((each, index) => {
        const Icon = ICONS[question][index];
        return (
          <RadioGroup.Item
            key={each}
            value={String(each)}
            className={cn(
              "inline-flex items-center justify-center gap-2 rounded-md border border-border-strong bg-raised font-medium text-ink transition-colors hover:bg-surface-hover disabled:opacity-50",
              SIZES[size],
              lookOf(question, each),
            )}
          >
            {Icon === undefined ? null : <Icon aria-hidden />}
            {question === "rating" ? (
              <>
                <span aria-hidden>{each}</span>
                <span className="sr-only">{t("humanScore.outOfFive", { answer: each })}</span>
              </>
            ) : (
              t(`humanScore.answers.${question}.${each === 0 ? "low" : "high"}`)
            )}
          </RadioGroup.Item>
        );
      })}
    </RadioGroup.Root>
  );
}
