import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { outputQuery } from "@/api/outputs";
import { problemMessage } from "@/api/problem-message";
import type { RunScorer, ScoreDetail } from "@/api/types";
import { GradeBadge } from "@/components/grade-badge";
import { formatScore } from "@/components/score-scale";
import { Skeleton } from "@/components/ui/skeleton";

export interface GraderReasonsProps {
  slug: string;
  outputId: string;
  scorers: readonly RunScorer[];
}

function Reason({ label, score }: { label: string; score: ScoreDetail }) {
  const { t } = useTranslation();
  const criteria = Object.entries(score.criteria ?? {});
  return (
    <li className="grid gap-1">
      <span className="flex items-center justify-between gap-2 font-medium text-ink">
        <span className="min-w-0 truncate">{label}</span>{" "}
        {score.value === null ? null : <GradeBadge value={score.value} label="" />}
      </span>{" "}
      {score.rationale ?? (criteria.length === 0 ? t("playground.grid.noReasons") : "")}
      {criteria.map(([name, { value, rationale }]) => (
        <span key={name} className="block">
          {name} {value === null ? "" : formatScore(value)} {rationale}
        </span>
      ))}
      {score.raw === null || score.raw === score.rationale ? null : (
        <span className="block border-t border-border pt-1">
          {t("runs.dialog.fullOutput")}: {score.raw}
        </span>
      )}
    </li>
  );
}

/** The grader's reasons, shown in place of the answer. */
export function GraderReasons({ slug, outputId, scorers }: GraderReasonsProps) {
  const { t } = useTranslation();
  const output = useQuery(outputQuery(slug, outputId));
  if (output.isError) {
    return <p className="text-danger">{problemMessage(output.error)}</p>;
  }
  if (output.data === undefined) {
    return <Skeleton className="h-16" />;
  }
  const labels = new Map(scorers.map(({ position, label }) => [position, label]));
  return (
    <div role="status" className="h-full overflow-y-auto">
      <ul
        aria-label={t("playground.grid.reasons")}
        className="grid gap-1.5 text-xs wrap-anywhere whitespace-pre-wrap text-ink-muted"
      >
        {output.data.details.map((score) => (
          <Reason key={score.scorer} label={labels.get(score.scorer) ?? ""} score={score} />
        ))}
      </ul>
    </div>
  );
}
