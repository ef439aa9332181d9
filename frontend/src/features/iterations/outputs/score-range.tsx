import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/cn";
import { HIGHEST, LOWEST, readScores, writeScores } from "./outputs-view";

type Bound = "low" | "high";
type Typed = Record<Bound, string>;
const BOUNDS: readonly Bound[] = ["low", "high"];
const STEP = 0.5;

function shown(score: string | undefined): Typed {
  const { low, high } = readScores(score) ?? { low: LOWEST, high: HIGHEST };
  return { low: low === LOWEST ? "" : String(low), high: high === HIGHEST ? "" : String(high) };
}

export interface ScoreRangeProps {
  score: string | undefined;
  onScoreChanged: (score: string | undefined) => void;
}

/**
 * Score range out of 10; an empty field sets no bound. Applies as soon as the text is a valid
 * range, and resets to the last one when both fields lose the focus before that.
 */
export function ScoreRange({ score, onScoreChanged }: ScoreRangeProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  const values = typed ?? shown(score);
  const isWrong = writeScores(values) === null;
  return (
    <span
      role="group"
      aria-labelledby={id}
      className="flex items-center gap-1.5 text-sm"
      onBlur={({ currentTarget, relatedTarget }) => {
        // Moving between the two fields is not leaving them.
        if (!currentTarget.contains(relatedTarget)) {
          setTyped(null);
        }
      }}
    >
      <span id={id} className={cn("px-1", isWrong ? "text-danger" : "text-ink-muted")}>
        {t("iterations.outputs.score")}
      </span>
      {BOUNDS.map((bound) => (
        <span key={bound} className="flex items-center gap-1.5">
          {bound === "high" ? <span aria-hidden>–</span> : null}
          <Input
            type="number"
            min={LOWEST}
            max={HIGHEST}
            step={STEP}
            className="h-8 w-18 text-xs tabular-nums"
            aria-label={t(`iterations.outputs.${bound}`)}
            aria-invalid={isWrong || undefined}
            placeholder={String(bound === "low" ? LOWEST : HIGHEST)}
            value={values[bound]}
            onChange={({ target }) => {
              const next = { ...values, [bound]: target.value };
              setTyped(next);
              const range = writeScores(next);
              if (range !== null) {
                onScoreChanged(range.score);
              }
            }}
          />
        </span>
      ))}
      {isWrong ? (
        <span role="alert" className="sr-only">
          {t("iterations.outputs.noRange")}
        </span>
      ) : null}
    </span>
  );
}
