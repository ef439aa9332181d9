import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ActivityEntry } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { activityQuery } from "./queries";

const SHOWN = 12;

interface Place {
  slug: string;
  experimentId: string;
}

function Sentence({ slug, experimentId, entry }: Place & { entry: ActivityEntry }) {
  const { t } = useTranslation();
  const { kind, iteration_id: iterationId, suggestion_id: suggestionId } = entry;
  const words = t(`experiments.activity.${kind}`, {
    who: entry.actor ?? t("experiments.activity.edison"),
    number: entry.iteration,
    version: entry.version_label,
    count: entry.count ?? 1,
  });
  const look = "rounded-sm text-sm wrap-anywhere hover:text-accent-ink hover:underline";
  if (suggestionId !== null) {
    return (
      <Link to="/p/$slug/reviews/$suggestionId" params={{ slug, suggestionId }} className={look}>
        {words}
      </Link>
    );
  }
  return iterationId === null ? (
    <span className="text-sm wrap-anywhere">{words}</span>
  ) : (
    <Link
      to="/p/$slug/experiments/$experimentId/iterations/$iterationId"
      params={{ slug, experimentId, iterationId }}
      className={look}
    >
      {words}
    </Link>
  );
}

function Entries({ entries, ...place }: Place & { entries: readonly ActivityEntry[] }) {
  return (
    <ol className="grid gap-3">
      {entries.map((entry) => (
        <li
          key={`${entry.at}-${entry.kind}`}
          className="grid justify-items-start gap-0.5 border-l-2 border-border pl-3"
        >
          <Sentence {...place} entry={entry} />
          {entry.message ? (
            <span className="text-xs wrap-anywhere text-ink-muted">{entry.message}</span>
          ) : null}
          <RelativeTime iso={entry.at} className="text-xs text-ink-muted" />
        </li>
      ))}
    </ol>
  );
}

function ActivitySkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-3">
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index} className="grid gap-2 border-l-2 border-border pl-3">
            <Skeleton className="h-3.5 w-2/3" />
            <Skeleton className="h-3 w-1/4" />
          </div>
        ))}
      </div>
    </LoadingStatus>
  );
}

/** Activity log, the latest first, by users and by Edison itself. */
export function ActivityCard(place: Place) {
  const { t } = useTranslation();
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  const activity = useQuery(activityQuery(place.slug, place.experimentId));
  const entries = activity.data?.entries ?? [];
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t("experiments.activity.title")} />
      <CardContent>
        {activity.data !== undefined ? (
          <Entries {...place} entries={showsAll ? entries : entries.slice(0, SHOWN)} />
        ) : activity.isPending ? (
          <ActivitySkeleton />
        ) : (
          <ProblemState
            error={activity.error}
            retrying={activity.isFetching}
            onRetry={() => void activity.refetch()}
          />
        )}
      </CardContent>
      {entries.length > SHOWN ? (
        <CardFooter>
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll
              ? t("experiments.activity.less")
              : t("experiments.activity.more", { count: entries.length - SHOWN })}
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  );
}
