import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project, SignedIn } from "@/api/types";

export const authConfigQuery = queryOptions({
  queryKey: keys.authConfig,
  queryFn: () => unwrap(api.GET("/api/v1/auth/config")),
  staleTime: 60_000,
});

export const invitationPreviewQuery = (token: string) =>
  queryOptions({
    queryKey: keys.invitationPreview(token),
    queryFn: () => unwrap(api.GET("/api/v1/invitations/{token}", { params: { path: { token } } })),
  });

export interface Credentials {
  email: string;
  password: string;
  remember_me: boolean;
}

export interface Registration {
  email: string;
  password: string;
  name: string | null;
}

export interface Registered extends SignedIn {
  project: Project | null;
}

/** Whoever signs in starts with an empty cache: nothing of another account may show. */
function useSignIn<V, R extends SignedIn>(send: (variables: V) => Promise<R>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ user, session }) => {
      queryClient.clear();
      queryClient.setQueryData<SignedIn>(keys.me, { user, session });
    },
  });
}

export function useLogin() {
  return useSignIn((body: Credentials) => unwrap(api.POST("/api/v1/auth/login", { body })));
}

/** With an invitation the account is made, the project joined and the person signed in at once. */
export function useRegister(invitation: string | null) {
  return useSignIn(async (body: Registration): Promise<Registered> => {
    if (invitation === null) {
      return { ...(await unwrap(api.POST("/api/v1/auth/register", { body }))), project: null };
    }
    const params = { path: { token: invitation } };
    return unwrap(api.POST("/api/v1/invitations/{token}/register", { params, body }));
  });
}

export function useSignInLink() {
  return useSignIn((token: string) =>
    unwrap(api.POST("/api/v1/auth/sign-in-link", { body: { token } })),
  );
}

export function useAcceptInvitation(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/invitations/{token}/accept", { params: { path: { token } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.projects }),
  });
}
