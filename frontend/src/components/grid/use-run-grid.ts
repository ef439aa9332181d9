import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { keys } from "@/api/keys";
import { readRows, type RowFilter } from "@/api/run-rows";
import { isFinished, isWorking } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { AllRows, MatchingRows, type RowPages } from "./row-pages";
import { RowStore } from "./row-store";
import { useRunEvents } from "./use-run-events";

/** Interval at which filtered rows are matched again, in milliseconds. */
const REFILTER_EVERY = 5000;

const scoredQuery = (slug: string, runId: string) =>
  queryOptions<number>({ queryKey: keys.scored(slug, runId), queryFn: skipToken });

function usePages(slug: string, run: RunDetail, store: RowStore, filter: RowFilter): RowPages {
  const queryClient = useQueryClient();
  const { id, case_count } = run;
  const { status, q, minScore, maxScore, sort } = filter;
  return useMemo(() => {
    const wantedRows = { status, q, minScore, maxScore, sort };
    const read = readRows(queryClient, { slug, runId: id }, wantedRows);
    return Object.values(wantedRows).every((wanted) => wanted === undefined)
      ? new AllRows(store, read, case_count)
      : new MatchingRows(store, read, null);
  }, [queryClient, slug, id, case_count, store, status, q, minScore, maxScore, sort]);
}

/** The rows of a run, updated while it is in progress. */
export function useRunGrid(slug: string, run: RunDetail, filter: RowFilter) {
  const [store] = useState(() => new RowStore());
  const pages = usePages(slug, run, store, filter);
  const latest = useRef(pages);
  useEffect(() => {
    latest.current = pages;
  }, [pages]);
  const [readAgain] = useState(() => () => latest.current.refresh());
  const stream = useRunEvents(
    { slug, runId: run.id },
    { isListening: !isFinished(run.state), store, onOutdated: readAgain },
  );

  // Cells to be retried are marked without an event.
  const previous = useRef(run.state);
  useEffect(() => {
    if (previous.current !== run.state) {
      previous.current = run.state;
      readAgain();
    }
  }, [run.state, readAgain]);
  // Human scores arrive as project events, not through the run's stream.
  const times = useQuery(scoredQuery(slug, run.id)).data;
  useEffect(() => {
    if (times !== undefined) {
      readAgain();
    }
  }, [times, readAgain]);
  const isFiltered = pages instanceof MatchingRows;
  const isMoving = isFiltered && isWorking(run.state);
  useEffect(() => {
    if (!isMoving) {
      return undefined;
    }
    const timer = setInterval(readAgain, REFILTER_EVERY);
    return () => clearInterval(timer);
  }, [isMoving, readAgain]);
  return { store, pages, stream, isFiltered };
}
