import { useQueryClient } from "@tanstack/react-query";
import { refreshAll } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { Credential, CredentialChange, CredentialRequest } from "@/api/types";
import { familiesOf } from "@/api/use-change";

const CREDENTIALS = "/projects/{project}/credentials";
export const CREDENTIAL = `${CREDENTIALS}/{credential_id}` as const;

/**
 * Requests whose bodies hold secrets. Not mutations of the query client, which would keep the body
 * in its cache.
 */
export function useSecretWriters(slug: string) {
  const queryClient = useQueryClient();
  const thenRefresh = async (request: Promise<Credential>): Promise<Credential> => {
    const saved = await request;
    await refreshAll(queryClient, familiesOf(CREDENTIALS, { project: slug }));
    return saved;
  };
  return {
    createCredential: (body: CredentialRequest, signal: AbortSignal) =>
      thenRefresh(send("post", CREDENTIALS, { project: slug, body }, signal)),
    replaceCredential: (
      credentialId: string,
      body: Pick<CredentialChange, "settings" | "secrets">,
      signal: AbortSignal,
    ) =>
      thenRefresh(
        send("patch", CREDENTIAL, { project: slug, credential_id: credentialId, body }, signal),
      ),
  };
}
