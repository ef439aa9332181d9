import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask, pages, query } from "@/api/queries";
import type { CheckState, MonitorCheck, MonitorPlan } from "@/api/types";
import { isInProgress } from "./check-figures";
import type { MonitorFilters, TrendDays } from "./monitor-view";

const PAGE_SIZE = 50;
/** Refreshed by events; polled in case events do not arrive. Milliseconds. */
const POLL_EVERY = 5000;
export const MONITOR = "/projects/{project}/monitors/{monitor_id}";

export interface MonitorAddress {
  project: string;
  monitor_id: string;
}

const pollWhile = (checks: readonly (MonitorCheck | null)[]) =>
  checks.some((check) => check !== null && isInProgress(check.state)) ? POLL_EVERY : false;

export const monitorsQuery = (slug: string, filters: MonitorFilters) =>
  infiniteQueryOptions({
    ...pages(
      "/projects/{project}/monitors",
      { project: slug, query: { ...filters, limit: PAGE_SIZE } },
      { keepPrevious: true },
    ),
    refetchInterval: ({ state }) =>
      pollWhile(
        (state.data?.pages ?? []).flatMap(({ items }) => items.map(({ last_check }) => last_check)),
      ),
  });

export const monitorQuery = (at: MonitorAddress) =>
  queryOptions({
    ...query(MONITOR, at),
    refetchInterval: ({ state }) => pollWhile([state.data?.last_check ?? null]),
  });

export const checksQuery = (at: MonitorAddress, state: CheckState | undefined) =>
  infiniteQueryOptions({
    ...pages(
      `${MONITOR}/checks`,
      { ...at, query: { state, limit: PAGE_SIZE } },
      { keepPrevious: true },
    ),
    refetchInterval: ({ state: shown }) =>
      pollWhile((shown.data?.pages ?? []).flatMap(({ items }) => items)),
  });

export const checkQuery = (at: MonitorAddress, checkId: string) =>
  queryOptions({
    ...query(`${MONITOR}/checks/{check_id}`, { ...at, check_id: checkId }),
    refetchInterval: ({ state }) => pollWhile([state.data ?? null]),
  });

export const trendQuery = (at: MonitorAddress, days: TrendDays) =>
  query(`${MONITOR}/trend`, { ...at, query: { days } }, { keepPrevious: true });

/** Comparison of the monitor's models over its last checks. */
export const monitoredModelsQuery = (at: MonitorAddress) => query(`${MONITOR}/models`, at);

export interface DraftSource {
  run?: string | undefined;
  prompt?: string | undefined;
}

/** Values for the form of a new monitor. */
export const draftQuery = (slug: string, { run, prompt }: DraftSource) =>
  query(
    "/projects/{project}/monitors/draft",
    { project: slug, query: { run_id: run, prompt_id: prompt } },
    { staleTime: Infinity, gcTime: 0 },
  );

export const scheduleQuery = (slug: string, cron: string) =>
  query(
    "/projects/{project}/monitors/schedule",
    { project: slug, query: { cron } },
    { keepPrevious: true, gcTime: 60_000 },
  );

/** Stores nothing. Disabled without a plan. */
export const estimateQuery = (slug: string, plan: MonitorPlan | null, monitorId?: string) =>
  ask(
    "/projects/{project}/monitors/estimate",
    {
      project: slug,
      query: { monitor_id: monitorId },
      body: plan ?? ({} as MonitorPlan),
    },
    { enabled: plan !== null, retry: false, gcTime: 60_000, keepPrevious: true },
  );
