import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "./types";

/** Query options shared by all cursor-paged lists. */
export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: Page<unknown>): string | null => last.next ?? null,
};

export interface Listing<T> {
  items: T[];
  total: number | null;
}

export function flattenPages<T>(data: InfiniteData<Page<T>>): Listing<T> {
  return {
    items: data.pages.flatMap((page) => page.items),
    total: data.pages.at(-1)?.total ?? null,
  };
}

export const LARGEST_PAGE = 100;

/** Reads all pages of a list. */
export async function readAllPages<T>(
  read: (cursor: { cursor?: string }) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  let page = await read({});
  items.push(...page.items);
  while (page.next) {
    page = await read({ cursor: page.next });
    items.push(...page.items);
  }
  return items;
}
