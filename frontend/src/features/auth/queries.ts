import { query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { meQuery } from "@/api/session";
import type { Project, SecondFactorStep, SignedIn } from "@/api/types";

export const invitationPreviewQuery = (token: string) => query("/invitations/{token}", { token });

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

/** Clears the cache on sign-in: no data of another account may be shown. */
function useSignIn<V, R extends SignedIn | SecondFactorStep>(
  mutationFn: (variables: V) => Promise<R>,
) {
  return useRefreshingMutation([], mutationFn, {
    keep: (queryClient, answer) => {
      if (!("challenge" in answer)) {
        const { user, session } = answer;
        queryClient.clear();
        queryClient.setQueryData(meQuery.queryKey, { user, session });
      }
    },
  });
}

export const useLogin = () =>
  useSignIn((body: Credentials) => send("post", "/auth/login", { body }));

/** Second sign-in step, for accounts with two-factor authentication. */
export const useSecondFactor = () =>
  useSignIn((body: { challenge: string; code: string }) =>
    send("post", "/auth/login/second-factor", { body }),
  );

/** Needs a password unless this browser is signed in to the account. */
export const useConfirmEmail = () =>
  useSignIn((body: { token: string; password: string | null }) =>
    send("post", "/auth/email-confirmation/use", { body }),
  );

export const useSignInLink = () =>
  useSignIn((token: string) => send("post", "/auth/sign-in-link", { body: { token } }));

/** Invitation token; `proof` is contained only in the mailed link. */
export interface InvitationKey {
  token: string;
  proof: string | null;
}

/** With an invitation, creates the account, joins the project and signs in with one request. */
export const useRegister = (invitation: InvitationKey | null) =>
  useSignIn(async (body: Registration): Promise<Registered> => {
    if (invitation === null) {
      return { ...(await send("post", "/auth/register", { body })), project: null };
    }
    const { token, proof } = invitation;
    return send("post", "/invitations/{token}/register", { token, body: { ...body, proof } });
  });
