import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VotingRound } from "@/api/arena";
import type { Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { roundQuery } from "./queries";
import { CloseRoundDialog } from "./round-dialogs";
import { RoundBadge, RoundProgress } from "./round-progress";
import { RoundResults } from "./round-results";
import { VotingWork } from "./voting-work";

export interface RoundPageProps {
  project: Project;
  roundId: string;
}

function LeftOut({ round }: { round: VotingRound }) {
  const { t } = useTranslation();
  const { named_count: named, identical_count: identical } = round;
  const notes = [
    named > 0 ? t("voting.named", { count: named }) : null,
    identical > 0 ? t("voting.identical", { count: identical }) : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p className="text-xs text-ink-muted">{notes.join(" ")}</p>;
}

/** A round: votes while it is open, the revealed models when it is closed. */
export function RoundPage({ project, roundId }: RoundPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const [isClosing, setClosing] = useState(false);
  const round = useQuery(roundQuery(slug, roundId));
  useDocumentTitle(round.data?.name ?? t("voting.title"), project.name);
  if (round.isPending) {
    return <FormSkeleton fields={4} />;
  }
  if (round.isError) {
    return <ProblemState isPage error={round.error} onRetry={() => void round.refetch()} />;
  }
  const isOpen = round.data.state === "open";
  const isActive = project.archived_at === null;
  return (
    <div className="grid grid-cols-1 gap-5">
      <BackLink to="/p/$slug/arena/voting" slug={slug}>
        {t("voting.back")}
      </BackLink>
      <PageHeader
        title={round.data.name}
        badges={<RoundBadge round={round.data} />}
        actions={
          isOpen && isActive && can(project.role, "runs.start") ? (
            <Button variant="secondary" onClick={() => setClosing(true)}>
              <Eye aria-hidden />
              {t("voting.close.action")}
            </Button>
          ) : null
        }
      />
      {round.data.instructions === null ? null : (
        <p className="max-w-3xl text-sm wrap-anywhere whitespace-pre-wrap text-ink-muted">
          {round.data.instructions}
        </p>
      )}
      <RoundProgress round={round.data} />
      <LeftOut round={round.data} />
      {!isOpen ? (
        <RoundResults slug={slug} roundId={roundId} />
      ) : isActive && can(project.role, "outputs.score") ? (
        <VotingWork slug={slug} roundId={roundId} />
      ) : (
        <Alert tone="info">{t("voting.nothing.viewer")}</Alert>
      )}
      {isClosing ? (
        <CloseRoundDialog slug={slug} round={round.data} onClosed={() => setClosing(false)} />
      ) : null}
    </div>
  );
}
