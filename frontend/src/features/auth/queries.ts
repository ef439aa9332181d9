import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project, SecondFactorStep, SignedIn } from "@/api/types";

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
function useSignIn<V, R extends SignedIn | SecondFactorStep>(send: (variables: V) => Promise<R>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      if ("challenge" in answer) {
        return;
      }
      const { user, session } = answer;
      queryClient.clear();
      queryClient.setQueryData<SignedIn>(keys.me, { user, session });
    },
  });
}

export function useLogin() {
  return useSignIn((body: Credentials) => unwrap(api.POST("/api/v1/auth/login", { body })));
}

/** The second step, for accounts with two-factor authentication. */
export function useSecondFactor() {
  return useSignIn((body: { challenge: string; code: string }) =>
    unwrap(api.POST("/api/v1/auth/login/second-factor", { body })),
  );
}

/** Without a password only for the browser that is signed in to the account. */
export function useConfirmEmail() {
  return useSignIn((body: { token: string; password: string | null }) =>
    unwrap(api.POST("/api/v1/auth/email-confirmation/use", { body })),
  );
}

/** A link into a project; `proof` is what only the mailed one carries. */
export interface InvitationKey {
  token: string;
  proof: string | null;
}

/** With an invitation the account is made, the project joined and the person signed in at once. */
export function useRegister(invitation: InvitationKey | null) {
  return useSignIn(async (body: Registration): Promise<Registered> => {
    if (invitation === null) {
      return { ...(await unwrap(api.POST("/api/v1/auth/register", { body }))), project: null };
    }
    const params = { path: { token: invitation.token } };
    const invited = { ...body, proof: invitation.proof };
    return unwrap(api.POST("/api/v1/invitations/{token}/register", { params, body: invited }));
  });
}

export function useSignInLink() {
  return useSignIn((token: string) =>
    unwrap(api.POST("/api/v1/auth/sign-in-link", { body: { token } })),
  );
}

export function useAcceptInvitation({ token, proof }: InvitationKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/invitations/{token}/accept", {
          params: { path: { token } },
          body: { proof },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.projects }),
  });
}
