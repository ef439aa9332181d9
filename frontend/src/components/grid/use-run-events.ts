import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { openStream, type StreamStatus } from "@/api/events";
import { keys, listsOf } from "@/api/keys";
import type { RunAddress } from "@/api/run-rows";
import { isFinished, runQuery } from "@/api/runs";
import { applyProgress, readRunEvent, RUN_EVENTS, type RunEvent } from "./live";
import type { RowStore } from "./row-store";

export interface RunEventsOptions {
  isListening: boolean;
  store: RowStore;
  /** Called when the shown data may be stale. */
  onOutdated: () => void;
}

/**
 * Subscribes to a run's events while it is in progress. Progress goes into the query cache, cells
 * and scores into the grid's store.
 */
export function useRunEvents({ slug, runId }: RunAddress, options: RunEventsOptions): StreamStatus {
  const { isListening, store, onOutdated } = options;
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<StreamStatus>("connecting");
  useEffect(() => {
    if (!isListening) {
      return undefined;
    }
    const queryKey = runQuery(slug, runId).queryKey;
    const readAgain = () => {
      void queryClient.invalidateQueries({ queryKey });
      onOutdated();
    };
    const take = (event: RunEvent) => {
      if (event.type === "cells") {
        store.applyCells(event.cells);
      } else if (event.type === "scores") {
        store.applyScores(event.scores);
      } else if (event.type === "texts") {
        store.applyTexts(event.texts);
      } else if (event.type === "progress") {
        if (event.progress.state !== "executing") {
          store.dropLiveTexts();
        }
        queryClient.setQueryData(queryKey, (run) =>
          run === undefined ? run : applyProgress(run, event.progress),
        );
        // Lists and the work indicator show data of other queries.
        if (isFinished(event.progress.state)) {
          void queryClient.invalidateQueries({ queryKey: listsOf(keys.runs(slug)) });
        }
      } else {
        readAgain();
      }
    };
    return openStream(`/api/v1/projects/${encodeURIComponent(slug)}/runs/${runId}/events`, {
      after: queryClient.getQueryData(queryKey)?.last_number ?? 0,
      names: RUN_EVENTS,
      onStatus: setStatus,
      onEvent: (name, data) => {
        const event = readRunEvent(name, data);
        if (event !== null) {
          take(event);
        }
      },
      onResync: readAgain,
    });
  }, [isListening, slug, runId, store, onOutdated, queryClient]);
  return status;
}
