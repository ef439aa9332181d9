import { useSuspenseQuery } from "@tanstack/react-query";
import { query } from "./queries";
import type { User } from "./types";

export const meQuery = query("/auth/me", {}, { staleTime: 5 * 60_000 });

/** Sign-in and registration options of the server. */
export const authConfigQuery = query("/auth/config", {}, { staleTime: 60_000 });

/** The signed-in user. Only for pages behind the sign-in guard. */
export function useUser(): User {
  return useSuspenseQuery(meQuery).data.user;
}
