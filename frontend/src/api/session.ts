import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import type { User } from "./types";

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: () => unwrap(api.GET("/api/v1/auth/me")),
  staleTime: 5 * 60_000,
});

/** What the server offers to people who sign in or register. */
export const authConfigQuery = queryOptions({
  queryKey: keys.authConfig,
  queryFn: () => unwrap(api.GET("/api/v1/auth/config")),
  staleTime: 60_000,
});

/** The signed-in user; only on pages behind the sign-in guard. */
export function useUser(): User {
  return useSuspenseQuery(meQuery).data.user;
}
