import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VotingMatch } from "@/api/arena";
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

function useVoting({ slug, roundId }: VotingWorkProps) {
  const step = useQuery(stepQuery(slug, roundId));
  const place = { project: slug, round_id: roundId };
  const options = stepOptions(slug, roundId);
  const vote = useChange("post", `${MATCH}/vote`, place, options);
  const skip = useChange("post", `${MATCH}/skip`, place, options);
  const undo = useChange("post", `${ROUND}/undo`, place, options);
  const onError = (error: unknown) => {
    toast.error(problemMessage(error));
    // The claim may have expired meanwhile.
    void step.refetch();
  };
  return { step, vote, skip, undo, onError };
}

/** How many pairs were shown on this page: pairs that come back count too, so that each is announced. */
function useShownPairs(match: VotingMatch | null): number {
  const key = match === null ? null : `${match.id}.${match.turn}`;
  const [shown, setShown] = useState({ key, count: key === null ? 0 : 1 });
  if (key !== null && key !== shown.key) {
    setShown({ key, count: shown.count + 1 });
  }
  return shown.count;
}

/** Shows the user's pairs one after the other. */
export function VotingWork(props: VotingWorkProps) {
  const { t } = useTranslation();
  const { step, vote, skip, undo, onError } = useVoting(props);
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
  const onUndone = () => undo.mutate(undefined, { onError });
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
              <Button variant="ghost" loading={undo.isPending} onClick={onUndone}>
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
        key={`${match.id}.${match.turn}`}
        match={match}
        isSending={vote.isPending || skip.isPending || undo.isPending}
        onVoted={(choice) =>
          vote.mutate({ match_id: match.id, body: { choice, turn: match.turn } }, { onError })
        }
        onSkipped={() => skip.mutate({ match_id: match.id }, { onError })}
        onUndone={onUndone}
      />
    </>
  );
}
