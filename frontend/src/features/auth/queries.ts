import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { SignedIn } from "@/api/types";

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
  invitation_token: string | null;
}

/** Whoever signs in starts with an empty cache: nothing of another account may show. */
function useSignIn<V>(send: (variables: V) => Promise<SignedIn>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (signedIn) => {
      queryClient.clear();
      queryClient.setQueryData(keys.me, signedIn);
    },
  });
}

export function useLogin() {
  return useSignIn((body: Credentials) => unwrap(api.POST("/api/v1/auth/login", { body })));
}

export function useRegister() {
  return useSignIn((body: Registration) => unwrap(api.POST("/api/v1/auth/register", { body })));
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
