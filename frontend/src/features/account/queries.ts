import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import type { SignedIn, TokenScope } from "@/api/types";

export const sessionsQuery = infiniteQueryOptions({
  queryKey: keys.sessions,
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.GET("/api/v1/auth/sessions", {
        signal,
        params: { query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    ),
  ...cursorPaging,
  select: flattenPages,
});

export const tokensQuery = infiniteQueryOptions({
  queryKey: keys.tokens,
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.GET("/api/v1/auth/tokens", {
        signal,
        params: { query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    ),
  ...cursorPaging,
  select: flattenPages,
});

export function useUpdateProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string | null; email: string }) =>
      unwrap(api.PATCH("/api/v1/auth/me", { body })),
    onSuccess: (user) =>
      queryClient.setQueryData<SignedIn>(keys.me, (old) => (old ? { ...old, user } : old)),
  });
}

export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: {
      current_password: string | null;
      new_password: string;
      end_tokens: boolean;
    }) => unwrap(api.PUT("/api/v1/auth/password", { body })),
    onSuccess: () =>
      Promise.all(
        [keys.me, keys.sessions, keys.tokens].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** One session, or with null all but the current one. */
export function useRevokeSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? unwrap(api.DELETE("/api/v1/auth/sessions"))
        : unwrap(
            api.DELETE("/api/v1/auth/sessions/{session_id}", {
              params: { path: { session_id: id } },
            }),
          ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export interface TokenDraft {
  name: string;
  scope: TokenScope;
  expires_in_days: number | null;
  project_ids: string[] | null;
}

export function useCreateToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: TokenDraft) => unwrap(api.POST("/api/v1/auth/tokens", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tokens }),
  });
}

/** One token, or with null all of them. */
export function useRevokeToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? unwrap(api.DELETE("/api/v1/auth/tokens"))
        : unwrap(
            api.DELETE("/api/v1/auth/tokens/{token_id}", { params: { path: { token_id: id } } }),
          ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tokens }),
  });
}
