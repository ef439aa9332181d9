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

/** A sign-in starts with an empty cache: nothing of another account may show. */
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

/** The second step, for accounts with two-factor authentication. */
export const useSecondFactor = () =>
  useSignIn((body: { challenge: string; code: string }) =>
    send("post", "/auth/login/second-factor", { body }),
  );

/** Without a password only for the browser that is signed in to the account. */
export const useConfirmEmail = () =>
  useSignIn((body: { token: string; password: string | null }) =>
    send("post", "/auth/email-confirmation/use", { body }),
  );

export const useSignInLink = () =>
  useSignIn((token: string) => send("post", "/auth/sign-in-link", { body: { token } }));

/** A link into a project; `proof` is what only the mailed one carries. */
export interface InvitationKey {
  token: string;
  proof: string | null;
}

/** With an invitation the account is made, the project joined and the person signed in at once. */
export const useRegister = (invitation: InvitationKey | null) =>
  useSignIn(async (body: Registration): Promise<Registered> => {
    if (invitation === null) {
      return { ...(await send("post", "/auth/register", { body })), project: null };
    }
    const { token, proof } = invitation;
    return send("post", "/invitations/{token}/register", { token, body: { ...body, proof } });
  });
