import { useTranslation } from "react-i18next";
import type { HumanScore } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { RelativeTime } from "@/components/ui/relative-time";

/** Label of a human score, such as "4 of 5" or "Pass". */
export function useAnswerText() {
  const { t } = useTranslation();
  return ({ question, answer, criteria }: Pick<HumanScore, "question" | "answer" | "criteria">) => {
    const one = (each: number) =>
      question === "rating"
        ? t("humanScore.outOfFive", { answer: each })
        : t(`humanScore.answers.${question}.${each === 0 ? "low" : "high"}`);
    if (answer !== null) {
      return one(answer);
    }
    return Object.entries(criteria ?? {})
      .map(([name, each]) => `${name}: ${one(each)}`)
      .join(", ");
  };
}

/** Human scores of an output with author and time. */
export function HumanScoreList({ scores }: { scores: readonly HumanScore[] }) {
  const { t } = useTranslation();
  const answerText = useAnswerText();
  return (
    <ul aria-label={t("humanScore.people")} className="grid gap-3 text-sm">
      {scores.map((score) => {
        const name = score.person?.name ?? t("humanScore.gone");
        return (
          <li key={score.id} className="grid gap-0.5">
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0 font-medium wrap-anywhere">
                {score.is_mine ? t("humanScore.me", { name }) : name}
              </span>
              {score.value === null ? null : (
                <ScoreBadge label={t("runs.score")} value={score.value} passed={null} />
              )}
            </span>
            <span className="text-xs text-ink-muted">
              {[answerText(score)].filter(Boolean).map((text) => `${text} · `)}
              <RelativeTime iso={score.updated_at} />
            </span>
            {score.comment === null ? null : (
              <p className="wrap-anywhere whitespace-pre-wrap text-ink-muted">{score.comment}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
