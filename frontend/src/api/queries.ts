import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type QueryKey,
} from "@tanstack/react-query";
import { cursorPaging, flattenPages, LARGEST_PAGE, readAllPages } from "./pages";
import { partsOf, request, type Answer, type Init, type Operation, type Path } from "./request";
import type { Page } from "./types";

/** Family that no event or mutation invalidates; only a lost event stream does. */
export const APART = "apart";

export interface QuerySettings {
  /** Family that invalidates the query, in place of the first resource in its path. */
  family?: string;
  /** Extra key part that distinguishes responses to equal requests; not sent. */
  turn?: unknown;
  /** Keeps the previous response on screen while the next one loads. */
  keepPrevious?: true;
  staleTime?: number;
  gcTime?: number;
  retry?: false;
  enabled?: boolean;
  refetchInterval?: number;
}

/** Path segments with the parameters filled in. */
export function addressOf(path: string, params: Record<string, unknown>): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => (part.startsWith("{") ? String(params[part.slice(1, -1)]) : part));
}

/**
 * Query key: the path segments, then the request parameters. Everything of a project is below
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

/** Query options of a GET request. */
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

/** Query options of a POST request without side effects, keyed by its body. */
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

/** Query options of a cursor-paged list. */
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

/** Query options of a list that is read completely. */
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
