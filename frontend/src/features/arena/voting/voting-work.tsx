import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownChoice, VotingMatch } from "@/api/arena";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { MATCH, ROUND, stepOptions, stepQuery } from "./queries";
import { VotePanel } from "./vote-panel";

export interface VotingWorkProps {
  slug: string;
  roundId: string;
}

/** A pair that comes back is another one. */
const pairKey = (match: VotingMatch) => `${match.id}.${match.turn}`;

function useVoting({ slug, roundId }: VotingWorkProps) {
  const step = useQuery(stepQuery(slug, roundId));
  const place = { project: slug, round_id: roundId };
  const options = stepOptions(slug, roundId);
  const vote = useChange("post", `${MATCH}/vote`, place, options);
  const skip = useChange("post", `${MATCH}/skip`, place, options);
  const undo = useChange("post", `${ROUND}/undo`, place, options);
  const [sentPair, setSentPair] = useState<string | null>(null);
  const onError = (error: unknown) => {
    toast.error(problemMessage(error));
    // The claim may have expired meanwhile.
    void step.refetch();
  };
  /** The next pair takes keys as soon as it is shown, although its response is not settled yet. */
  const isSending = (match: VotingMatch) =>
    sentPair === pairKey(match) && (vote.isPending || skip.isPending || undo.isPending);
  const send = (match: VotingMatch | null, act: () => void) => {
    setSentPair(match === null ? null : pairKey(match));
    act();
  };
  return {
    step,
    isSending,
    isUndoing: undo.isPending,
    onVoted: (match: VotingMatch, choice: ShownChoice) =>
      send(match, () =>
        vote.mutate({ match_id: match.id, body: { choice, turn: match.turn } }, { onError }),
      ),
    onSkipped: (match: VotingMatch) =>
      send(match, () => skip.mutate({ match_id: match.id }, { onError })),
    onUndone: (match: VotingMatch | null) => send(match, () => undo.mutate(undefined, { onError })),
  };
}

/** How many pairs were shown on this page: pairs that come back count too, so that each is announced. */
function useShownPairs(match: VotingMatch | null): number {
  const key = match === null ? null : pairKey(match);
  const [shown, setShown] = useState({ key, count: key === null ? 0 : 1 });
  if (key !== null && key !== shown.key) {
    setShown({ key, count: shown.count + 1 });
  }
  return shown.count;
}

/** Shows the user's pairs one after the other. */
export function VotingWork(props: VotingWorkProps) {
  const { t } = useTranslation();
  const { step, isSending, isUndoing, onVoted, onSkipped, onUndone } = useVoting(props);
  const shown = useShownPairs(step.data?.match ?? null);
  if (step.isPending) {
    return <FormSkeleton fields={3} />;
  }
  if (step.isError) {
    return (
      <ProblemState
        error={step.error}
        retrying={step.isFetching}
        onRetry={() => void step.refetch()}
      />
    );
  }
  const { match, round } = step.data;
  if (match === null) {
    const isBusy = round.vote_count < round.seat_count;
    return (
      <EmptyState
        icon={<CircleCheck />}
        title={t(isBusy ? "voting.nothing.busyTitle" : "voting.nothing.doneTitle")}
        description={t(isBusy ? "voting.nothing.busyBody" : "voting.nothing.doneBody")}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {round.my_votes === 0 ? null : (
              <Button variant="ghost" loading={isUndoing} onClick={() => onUndone(match)}>
                {t("voting.undoLast")}
              </Button>
            )}
            {isBusy ? (
              <Button
                variant="secondary"
                loading={step.isFetching}
                onClick={() => void step.refetch()}
              >
                {t("voting.lookAgain")}
              </Button>
            ) : null}
          </span>
        }
      />
    );
  }
  return (
    <>
      <p role="status" className="sr-only">
        {t("voting.announce", { number: shown })}
      </p>
      <VotePanel
        key={pairKey(match)}
        match={match}
        isSending={isSending(match)}
        onVoted={(choice) => onVoted(match, choice)}
        onSkipped={() => onSkipped(match)}
        onUndone={() => onUndone(match)}
      />
    </>
  );
}
