import { useTranslation } from "react-i18next";
import type { VotingRound } from "@/api/arena";
import { Badge } from "@/components/ui/badge";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format";

export function RoundBadge({ round }: { round: VotingRound }) {
  const { t } = useTranslation();
  return (
    <Badge tone={round.state === "open" ? "info" : "neutral"}>
      {t(`voting.states.${round.state}`)}
    </Badge>
  );
}

/** Votes of everyone, out of those wanted. */
export function RoundProgress({ round }: { round: VotingRound }) {
  const { t } = useTranslation();
  const { vote_count: votes, seat_count: seats, my_votes: mine } = round;
  return (
    <span className="grid min-w-36 gap-1.5">
      <Progress
        label={t("voting.progressOf", { name: round.name })}
        value={Math.min(100, (100 * votes) / Math.max(1, seats))}
      />
      <span className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-muted tabular-nums">
        <span>
          {t("voting.votesOf", { done: formatNumber(votes), total: formatNumber(seats) })}
        </span>
        <span>{t("voting.mine", { count: mine })}</span>
      </span>
    </span>
  );
}
