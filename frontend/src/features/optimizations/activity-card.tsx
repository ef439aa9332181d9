import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { OptimizationEntry } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { outOfTen } from "@/components/score-scale";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useCandidateWords } from "./candidate-table";
import { activityQuery } from "./queries";

/** The figures of an entry, by the names that the server gives them. */
interface Figures {
  kind?: string;
  generation?: number;
  candidate?: number;
  candidates?: number | number[];
  cases?: number;
  rival?: number;
  difference?: number;
  reason?: string;
  outcome?: string;
  state?: string;
  message?: string;
  refused?: string[];
  failures?: string[];
  unchanged?: string[];
}

const countOf = (candidates: Figures["candidates"]) =>
  Array.isArray(candidates) ? candidates.length : (candidates ?? 0);

function useSentence() {
  const { t } = useTranslation();
  const { nameOf } = useCandidateWords();
  return (entry: OptimizationEntry): string => {
    const data = entry.data as Figures;
    const common = {
      generation: data.generation ?? 0,
      cases: data.cases ?? 0,
      count: countOf(data.candidates),
    };
    switch (entry.kind) {
      case "round_begun":
      case "measured":
        return t(`optimizations.activity.${entry.kind}`, {
          ...common,
          context: data.kind === "gate" ? "test" : data.generation === 0 ? "base" : "",
        });
      case "dropped":
        return t("optimizations.activity.dropped", {
          name: nameOf(data.candidate ?? 0),
          rival: nameOf(data.rival ?? 0),
          difference: outOfTen(-(data.difference ?? 0)),
        });
      case "search_ended":
        return t(`optimizations.stops.${data.reason as "target"}`);
      case "ended":
        return data.outcome === undefined
          ? t(`optimizations.states.${data.state as "failed"}`)
          : t(`optimizations.outcomes.${data.outcome as "promoted"}`);
      default:
        return t(`optimizations.activity.${entry.kind}`, common);
    }
  };
}

/** Why proposals did not become candidates, or why it waits. */
function remarksOf(entry: OptimizationEntry): string[] {
  const { message, refused, failures, unchanged } = entry.data as Figures;
  const lists = [refused, failures, unchanged].flatMap((list) => list ?? []);
  return [...(message === undefined ? [] : [message]), ...new Set(lists)];
}

function Entries({ entries }: { entries: readonly OptimizationEntry[] }) {
  const sentence = useSentence();
  return (
    <ol className="grid gap-3">
      {entries.map((entry, index) => (
        <li
          key={`${entry.created_at}-${entry.kind}-${index}`}
          className="grid justify-items-start gap-0.5 border-l-2 border-border pl-3"
        >
          <span className="text-sm wrap-anywhere">{sentence(entry)}</span>
          {remarksOf(entry).map((remark) => (
            <span key={remark} className="text-xs wrap-anywhere text-ink-muted">
              {remark}
            </span>
          ))}
          <RelativeTime iso={entry.created_at} className="text-xs text-ink-muted" />
        </li>
      ))}
    </ol>
  );
}

/** What happened, the latest first. */
export function ActivityCard(props: { slug: string; optimizationId: string }) {
  const { t } = useTranslation();
  const id = useId();
  const activity = useInfiniteQuery(activityQuery(props.slug, props.optimizationId));
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t("optimizations.activity.title")} />
      <CardContent>
        {activity.data === undefined ? (
          activity.isPending ? (
            <LoadingStatus>
              <Skeleton className="h-32 rounded-lg" />
            </LoadingStatus>
          ) : (
            <ProblemState
              error={activity.error}
              retrying={activity.isFetching}
              onRetry={() => void activity.refetch()}
            />
          )
        ) : activity.data.items.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("optimizations.activity.empty")}</p>
        ) : (
          <Entries entries={activity.data.items} />
        )}
      </CardContent>
      {activity.hasNextPage ? (
        <CardFooter>
          <Button
            variant="ghost"
            size="sm"
            loading={activity.isFetchingNextPage}
            onClick={() => void activity.fetchNextPage()}
          >
            {t("optimizations.activity.more")}
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  );
}
