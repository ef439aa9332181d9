import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isFinished } from "@/api/runs";
import type { RunDetail, ScoreDetail } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { Disclosure } from "@/components/ui/disclosure";
import { formatCost } from "@/lib/format";
import { TextBox } from "./text-block";

function Criteria({ criteria }: { criteria: NonNullable<ScoreDetail["criteria"]> }) {
  return (
    <ul className="grid gap-2 border-l-2 border-border pl-3">
      {Object.entries(criteria).map(([name, { value, rationale }]) => (
        <li key={name} className="grid gap-0.5">
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <ScoreBadge label={name} value={value} passed={null} />
          </span>
          {rationale ? (
            <span className="text-xs wrap-anywhere text-ink-muted">{rationale}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

type JudgeScores = NonNullable<ScoreDetail["judges"]>;

/** What each judge of a panel said. */
function Judges({ judges }: { judges: JudgeScores }) {
  return (
    <ol className="grid gap-3 border-l-2 border-border pl-3">
      {Object.entries(judges).map(([label, { name, value, problem, raw, criteria }]) => (
        <li key={label} className="grid gap-1">
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <ScoreBadge label={name} value={value} passed={null} />
          </span>
          {problem === null ? null : <span className="text-xs text-warning">{problem}</span>}
          <Criteria criteria={criteria} />
          <FullOutput raw={raw} />
        </li>
      ))}
    </ol>
  );
}

/** The grader's answer as it came. */
function FullOutput({ raw }: { raw: string | null }) {
  const { t } = useTranslation();
  return raw === null || raw === "" ? null : (
    <Disclosure label={<span className="text-xs">{t("runs.dialog.fullOutput")}</span>}>
      <TextBox>{raw}</TextBox>
    </Disclosure>
  );
}

/** Whether each judge or criterion has its own reasons, which the scorer's repeat. */
function isExplainedBelow({ judges, criteria }: ScoreDetail): boolean {
  return (
    judges !== null ||
    (criteria !== null && Object.values(criteria).every(({ rationale }) => rationale !== null))
  );
}

export interface CellScoresProps {
  run: RunDetail;
  scores: readonly ScoreDetail[];
}

/** Scores of the answer with the scorers' reasons. */
export function CellScores({ run, scores }: CellScoresProps) {
  const { t } = useTranslation();
  if (run.scorers.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="cell-scores" className="grid gap-2">
      <h3 id="cell-scores" className="text-xs font-medium text-ink-muted">
        {t("runs.dialog.scores")}
      </h3>
      <ul className="grid gap-4 text-sm">
        {run.scorers.map(({ position, label }) => {
          const score = scores.find(({ scorer }) => scorer === position);
          return (
            <li key={position} className="grid gap-1.5">
              <span className="flex items-center justify-between gap-3">
                <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
                {score === undefined ? (
                  <span className="text-xs text-ink-subtle">
                    {t(isFinished(run.state) ? "runs.dialog.notScored" : "runs.dialog.noScore")}
                  </span>
                ) : (
                  <ScoreBadge label={label} value={score.value} passed={score.is_passed} />
                )}
              </span>
              {score?.flag ? (
                <span className="flex items-center gap-1.5 text-xs text-warning">
                  <TriangleAlert aria-hidden className="size-3.5" />
                  {t("runs.dialog.flag", { flag: score.flag.replaceAll("_", " ") })}
                </span>
              ) : null}
              {score?.rationale && !isExplainedBelow(score) ? (
                <p className="text-xs wrap-anywhere whitespace-pre-wrap text-ink-muted">
                  {score.rationale}
                </p>
              ) : null}
              {score?.criteria ? <Criteria criteria={score.criteria} /> : null}
              {score?.judges ? <Judges judges={score.judges} /> : null}
              {score?.judges ? null : <FullOutput raw={score?.raw ?? null} />}
              {score?.cost_usd != null && Number(score.cost_usd) > 0 ? (
                <p className="text-xs text-ink-subtle">
                  {t("runs.dialog.judgeCost", { cost: formatCost(score.cost_usd) })}
                </p>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
