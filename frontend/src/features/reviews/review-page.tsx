import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { iterationQuery } from "@/api/experiments";
import type { Iteration, Project, Suggestion } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { SimulatedBadge } from "@/components/simulated-badge";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { Candidates } from "./candidates";
import { suggestionQuery } from "./queries";
import { ReviewWork } from "./review-work";
import { OriginBadge, RailBadges, StateBadge } from "./suggestion-badges";
import { isProposal, nameOf } from "./suggestion-name";

export interface ReviewPageProps {
  project: Project;
  suggestionId: string;
  onSuggestionOpened: (suggestionId: string) => void;
  onIterationOpened: (experimentId: string, iterationId: string) => void;
}

function ReviewSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-1/3" />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Skeleton className="h-36 rounded-xl" />
          <Skeleton className="h-36 rounded-xl" />
        </div>
        <Skeleton className="h-72 rounded-xl" />
      </div>
    </LoadingStatus>
  );
}

interface HeaderProps {
  slug: string;
  suggestion: Suggestion;
  iteration: Iteration | undefined;
}

const LINK = "rounded-sm text-accent-ink underline underline-offset-2";

function Header({ slug, suggestion, iteration }: HeaderProps) {
  const { t } = useTranslation();
  const {
    experiment_id: experimentId,
    iteration_id: iterationId,
    optimization_id: optimizationId,
  } = suggestion;
  const isSimulated = iteration?.metrics?.variants.some((variant) => variant.is_simulated) ?? false;
  return (
    <PageHeader
      title={nameOf(suggestion, t)}
      badges={
        <>
          <StateBadge state={suggestion.state} />
          <OriginBadge origin={suggestion.origin} />
          <RailBadges violations={suggestion.violations} />
          {isSimulated ? <SimulatedBadge /> : null}
        </>
      }
      description={
        <>
          {optimizationId !== null ? (
            <Link
              to="/p/$slug/optimizations/$optimizationId"
              params={{ slug, optimizationId }}
              className={LINK}
            >
              {t("reviews.header.winner")}
            </Link>
          ) : experimentId === null || iterationId === null ? (
            t(isProposal(suggestion) ? "reviews.header.proposal" : "reviews.header.winner")
          ) : (
            <>
              <Link
                to="/p/$slug/experiments/$experimentId"
                params={{ slug, experimentId }}
                className={LINK}
              >
                {t("reviews.header.experiment")}
              </Link>
              {" · "}
              <Link
                to="/p/$slug/experiments/$experimentId/iterations/$iterationId"
                params={{ slug, experimentId, iterationId }}
                className={LINK}
              >
                {t("reviews.header.iteration", { number: suggestion.iteration_number })}
              </Link>
              {" · "}
              {t("reviews.header.candidate", {
                number: suggestion.number,
                count: iteration?.suggestions.length ?? suggestion.number,
              })}
            </>
          )}
          {" · "}
          {suggestion.author === null
            ? t("reviews.header.suggested")
            : t("reviews.header.suggestedBy", { who: suggestion.author })}{" "}
          <RelativeTime iso={suggestion.created_at} />
        </>
      }
    />
  );
}

/** One suggestion and its decision. */
export function ReviewPage(props: ReviewPageProps) {
  const { project, suggestionId } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const found = useQuery(suggestionQuery(slug, suggestionId));
  const suggestion = found.data;
  const iteration = useQuery({
    ...iterationQuery(slug, suggestion?.experiment_id ?? "", suggestion?.iteration_id ?? ""),
    enabled: suggestion !== undefined && suggestion.iteration_id !== null,
  }).data;
  useDocumentTitle(suggestion && nameOf(suggestion, t), t("reviews.title"), project.name);
  if (found.isPending) {
    return <ReviewSkeleton />;
  }
  if (suggestion === undefined) {
    return <ProblemState isPage error={found.error} onRetry={() => void found.refetch()} />;
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <BackLink to="/p/$slug/reviews" slug={slug}>
        {t("reviews.back")}
      </BackLink>
      <Header slug={slug} suggestion={suggestion} iteration={iteration} />
      <Candidates slug={slug} candidates={iteration?.suggestions ?? []} />
      <ReviewWork
        project={project}
        suggestion={suggestion}
        onSuggestionOpened={props.onSuggestionOpened}
        onIterationOpened={(iterationId) => {
          if (suggestion.experiment_id !== null) {
            props.onIterationOpened(suggestion.experiment_id, iterationId);
          }
        }}
      />
    </div>
  );
}
