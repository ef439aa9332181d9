import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { openStream, type StreamStatus } from "@/api/events";
import { keys } from "@/api/keys";
import { projectQuery } from "@/api/projects";
import {
  affectedKeys,
  progressOf,
  PROGRESS_EVENTS,
  PROJECT_EVENTS,
  scoredRunOf,
} from "@/api/project-events";
import { readAgain } from "@/api/read-again";

/** A project that was read longer ago (ms) may have had many events since. */
const RECENT = 10_000;

/** Subscribes to a project's events and invalidates cached data while one of its pages is open. */
export function useProjectEvents(slug: string): StreamStatus {
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<StreamStatus>("connecting");
  useEffect(() => {
    const read = queryClient.getQueryState(projectQuery(slug).queryKey);
    const isRecent = read !== undefined && Date.now() - read.dataUpdatedAt < RECENT;
    return openStream(`/api/v1/projects/${encodeURIComponent(slug)}/events`, {
      // Other data of the page was read after the project.
      after: isRecent ? (read.data?.latest_event ?? null) : null,
      names: [...PROJECT_EVENTS, ...PROGRESS_EVENTS],
      onStatus: setStatus,
      onEvent: (name, data) => {
        const progress = progressOf(name, data);
        if (progress !== null) {
          queryClient.setQueryData(keys.progress(slug, progress.entity_id), progress);
        }
        const runId = scoredRunOf(name, data);
        if (runId !== null) {
          queryClient.setQueryData<number>(keys.scored(slug, runId), (times) => (times ?? 0) + 1);
        }
        for (const queryKey of affectedKeys(name, slug)) {
          readAgain(queryClient, queryKey);
        }
      },
      onResync: () => readAgain(queryClient, keys.project(slug)),
    });
  }, [slug, queryClient]);
  return status;
}
