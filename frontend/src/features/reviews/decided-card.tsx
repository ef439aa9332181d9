import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Suggestion, SuggestionDecision, SuggestionSummary } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { RelativeTime } from "@/components/ui/relative-time";
import { queueQuery } from "./queries";
import { StateBadge } from "./suggestion-badges";

/** Next suggestion to review: of the same iteration first, else the oldest. */
export function nextOf(
  suggestion: Suggestion,
  waiting: readonly SuggestionSummary[],
): SuggestionSummary | undefined {
  const others = waiting.filter(({ id }) => id !== suggestion.id);
  return others.find(({ iteration_id }) => iteration_id === suggestion.iteration_id) ?? others[0];
}

export function useNext(slug: string, suggestion: Suggestion): SuggestionSummary | undefined {
  const waiting = useInfiniteQuery(queueQuery(slug, {}));
  return nextOf(suggestion, waiting.data?.items ?? []);
}

function DecisionSummary({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  const { review, decided_at } = suggestion;
  return (
    <div className="grid min-w-0 gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StateBadge state={suggestion.state} />
        {suggestion.state === "superseded" ? (
          <span>{t("reviews.decided.superseded")}</span>
        ) : (
          <span className="wrap-anywhere">
            {review?.reviewer == null
              ? t("reviews.decided.automatic")
              : t("reviews.decided.by", { who: review.reviewer })}
          </span>
        )}
        {decided_at === null ? null : <RelativeTime iso={decided_at} className="text-ink-muted" />}
      </p>
      {review?.reason ? (
        <blockquote className="border-l-2 border-border-strong pl-3 wrap-anywhere whitespace-pre-wrap text-ink-muted">
          {review.reason}
        </blockquote>
      ) : null}
    </div>
  );
}

export interface DecidedCardProps {
  slug: string;
  suggestion: Suggestion;
  next: SuggestionSummary | undefined;
  /** Decision made in this visit; null when it was made before. */
  outcome: SuggestionDecision | null;
}

/** Decision with author, time and reason, and a link to the next suggestion. */
export function DecidedCard({ slug, suggestion, next, outcome }: DecidedCardProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const isFresh = outcome !== null;
  useEffect(() => {
    if (!isFresh) {
      return undefined;
    }
    // After the closing dialog has restored the focus.
    const timer = setTimeout(() => card.current?.focus());
    return () => clearTimeout(timer);
  }, [isFresh]);
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={t("reviews.decided.label")}
      className="grid gap-3 rounded-xl border border-border bg-surface px-5 py-4"
    >
      <DecisionSummary suggestion={suggestion} />
      {outcome?.stop_message ? (
        <p className="text-sm text-ink-muted">
          {t("reviews.decided.ended", { message: outcome.stop_message })}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {next === undefined ? (
          <Button asChild variant="secondary" size="sm">
            <Link to="/p/$slug/reviews" params={{ slug }}>
              {t("reviews.decided.toQueue")}
            </Link>
          </Button>
        ) : (
          <Button asChild size="sm">
            <Link to="/p/$slug/reviews/$suggestionId" params={{ slug, suggestionId: next.id }}>
              {t("reviews.decided.next")}
              <span aria-hidden>
                <Kbd keys="n" />
              </span>
              <ArrowRight aria-hidden />
            </Link>
          </Button>
        )}
        {outcome?.next_iteration_id && suggestion.experiment_id !== null ? (
          <Button asChild variant="secondary" size="sm">
            <Link
              to="/p/$slug/experiments/$experimentId/iterations/$iterationId"
              params={{
                slug,
                experimentId: suggestion.experiment_id,
                iterationId: outcome.next_iteration_id,
              }}
            >
              {t("reviews.decided.openIteration")}
            </Link>
          </Button>
        ) : null}
      </div>
    </section>
  );
}
