import type { QueryClient } from "@tanstack/react-query";
import { query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { meQuery } from "@/api/session";
import type { Project, SecondFactorStep, SignedIn } from "@/api/types";

export const invitationPreviewQuery = (token: string) => query("/invitations/{token}", { token });

export interface Registration {
  email: string;
  password: string;
  name: string | null;
}

export interface Registered extends SignedIn {
  project: Project | null;
}

/** Options of sign-in requests: clears the cache, so that no data of another account is shown. */
export const SIGN_IN = {
  refresh: [],
  keep: (queryClient: QueryClient, answer: SignedIn | SecondFactorStep) => {
    if (!("challenge" in answer)) {
      const { user, session } = answer;
      queryClient.clear();
      queryClient.setQueryData(meQuery.queryKey, { user, session });
    }
  },
};

/** Invitation token; `proof` is contained only in the mailed link. */
export interface InvitationKey {
  token: string;
  proof: string | null;
}

/** With an invitation, creates the account, joins the project and signs in with one request. */
export const useRegister = (invitation: InvitationKey | null) =>
  useRefreshingMutation(
    [],
    async (body: Registration): Promise<Registered> => {
      if (invitation === null) {
        return { ...(await send("post", "/auth/register", { body })), project: null };
      }
      const { token, proof } = invitation;
      return send("post", "/invitations/{token}/register", { token, body: { ...body, proof } });
    },
    SIGN_IN,
  );
