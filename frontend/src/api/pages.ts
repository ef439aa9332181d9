import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "./types";

/** Options that every cursor list shares. */
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
