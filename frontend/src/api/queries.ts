import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type QueryKey,
} from "@tanstack/react-query";
import { cursorPaging, flattenPages, LARGEST_PAGE, readAllPages } from "./pages";
import { partsOf, request, type Answer, type Init, type Operation, type Path } from "./request";
import type { Page } from "./types";

/** A family that no event and no change refreshes; only losing the event stream does. */
export const APART = "apart";

export interface QuerySettings {
  /** The family with which it is refreshed, instead of the resource that its path names first. */
  family?: string;
  /** Tells answers apart that the request alone does not; it is not sent. */
  turn?: unknown;
  /** Shows the last answer while the next one is on its way. */
  keepPrevious?: true;
  staleTime?: number;
  gcTime?: number;
  retry?: false;
  enabled?: boolean;
  refetchInterval?: number;
}

/** The parts of an address, with the parameters filled in. */
export function addressOf(path: string, params: Record<string, unknown>): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => (part.startsWith("{") ? String(params[part.slice(1, -1)]) : part));
}

/**
 * The key of a query: the parts of its address, then what was asked. So all of a project is below
 * `["projects", slug]`, its prompts are below `["projects", slug, "prompts"]`, and the lists of
 * prompts alone match `["projects", slug, "prompts", {}]`.
 */
function keyOf(path: string, init: unknown, settings: QuerySettings, read?: "pages" | "all") {
  const { params, query, body } = partsOf(init);
  const parts = addressOf(path, params);
  if (settings.family !== undefined) {
    parts.splice(2, 0, settings.family);
  }
  const asked = { query, body, read, turn: settings.turn };
  const known = Object.entries(asked).filter(([, value]) => value !== undefined);
  return [...parts, Object.fromEntries(known)] as QueryKey;
}

function optionsOf({ family: _, turn: __, keepPrevious, ...rest }: QuerySettings) {
  return { ...rest, ...(keepPrevious === true ? { placeholderData: keepPreviousData } : {}) };
}

type Get<P extends string> = Operation<"get", P>;
type Item<A> = A extends { items: readonly (infer T)[] } ? T : never;

/** What a GET answers. */
export const query = <P extends Path<"get">>(
  path: P,
  init: Init<Get<P>>,
  settings: QuerySettings = {},
) =>
  queryOptions({
    queryKey: keyOf(path, init, settings),
    queryFn: ({ signal }) => request("get", path, init, signal) as Promise<Answer<Get<P>>>,
    ...optionsOf(settings),
  });

/** What a POST answers that changes nothing. It belongs to exactly what was asked. */
export const ask = <P extends Path<"post">>(
  path: P,
  init: Init<Operation<"post", P>>,
  settings: QuerySettings = {},
) =>
  queryOptions({
    queryKey: keyOf(path, init, { family: APART, ...settings }),
    queryFn: ({ signal }) =>
      request("post", path, init, signal) as Promise<Answer<Operation<"post", P>>>,
    ...optionsOf(settings),
  });

function readPage<T>(path: string, init: unknown, more: object, signal: AbortSignal) {
  const { params, query } = partsOf(init);
  const asked = { ...params, query: { ...query, ...more } };
  return request("get", path, asked, signal) as Promise<Page<T>>;
}

/** A list that is read page by page. */
export const pages = <P extends Path<"get">>(
  path: P,
  init: Init<Get<P>>,
  settings: QuerySettings = {},
) =>
  infiniteQueryOptions({
    queryKey: keyOf(path, init, settings, "pages"),
    queryFn: ({ pageParam, signal }) =>
      readPage<Item<Answer<Get<P>>>>(path, init, { cursor: pageParam ?? undefined }, signal),
    ...cursorPaging,
    select: flattenPages<Item<Answer<Get<P>>>>,
    ...optionsOf(settings),
  });

/** A list that is needed as a whole. */
export const allPages = <P extends Path<"get">>(
  path: P,
  init: Init<Get<P>>,
  settings: QuerySettings = {},
) =>
  queryOptions({
    queryKey: keyOf(path, init, settings, "all"),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        readPage<Item<Answer<Get<P>>>>(path, init, { limit: LARGEST_PAGE, ...cursor }, signal),
      ),
    ...optionsOf(settings),
  });
