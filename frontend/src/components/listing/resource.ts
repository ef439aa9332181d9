import type { UseMutationResult } from "@tanstack/react-query";

/** Fields of every list entry. Types that cannot be archived have no `archived_at`. */
export interface Resource {
  id: string;
  name: string;
  archived_at?: string | null;
}

type Change<V, R = unknown> = Pick<
  UseMutationResult<R, Error, V>,
  "mutate" | "isPending" | "isError" | "error" | "reset"
>;

export type Rename = Change<{ id: string; name: string }>;
export type Duplicate = Change<string, Resource>;
export type Archive = Change<{ id: string; archive: boolean }>;
export type Remove = Change<string>;
