import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { outputScoresQuery, SCORES, scoreOptions } from "@/api/human-scores";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { ScoreBadge } from "@/components/score-badge";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { OwnScore } from "./own-score";
import { HumanScoreList } from "./human-score-list";

export interface HumanScoresProps {
  slug: string;
  output: { id: string; number: number; status: string; is_wanted_again: boolean };
  /** Whether the user may score. */
  canScore: boolean;
}

/** Human scores of an output, which take precedence over scorers. */
export function HumanScores({ slug, output, canScore }: HumanScoresProps) {
  const { t } = useTranslation();
  const heading = useId();
  const scores = useQuery(outputScoresQuery(slug, output.id));
  const give = useChange("put", SCORES, { project: slug }, scoreOptions(slug));
  const remove = useChange("delete", SCORES, { project: slug }, scoreOptions(slug));
  const onError = (error: Error) => toast.error(problemMessage(error));
  const isScorable = canScore && output.status !== "error" && !output.is_wanted_again;
  if (scores.isError) {
    return <p className="text-xs text-danger">{problemMessage(scores.error)}</p>;
  }
  const { value, items } = scores.data ?? { value: null, items: [] };
  if (!isScorable && scores.data !== undefined && items.length === 0) {
    return null;
  }
  const mine = items.find((score) => score.is_mine);
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h3
        id={heading}
        className="flex items-center justify-between text-xs font-medium text-ink-muted"
      >
        {t("humanScore.title")}
        {value === null ? null : (
          <ScoreBadge label={t("humanScore.mean")} value={value} passed={null} />
        )}
      </h3>
      {scores.data === undefined ? <Skeleton className="h-16" /> : null}
      {items.length === 0 ? null : <HumanScoreList scores={items} />}
      {isScorable && scores.data !== undefined ? (
        <OwnScore
          key={`${output.id}.${output.number}`}
          mine={mine}
          isSaving={give.isPending}
          onScored={(score) =>
            give.mutate(
              { output_id: output.id, body: { ...score, about: output.number } },
              { onError },
            )
          }
          onRemoved={() => remove.mutate({ output_id: output.id }, { onError })}
        />
      ) : null}
    </section>
  );
}
