import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Credential, CredentialChange, CredentialRequest } from "@/api/types";

function refresh(queryClient: QueryClient, slug: string): Promise<unknown> {
  return Promise.all(
    [keys.credentials(slug), keys.audit(slug)].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

/**
 * Writers for bodies that hold secrets. They are no mutations of the query client, which would
 * keep what was sent in its cache.
 */
export function useSecretWriters(slug: string) {
  const queryClient = useQueryClient();
  return {
    createCredential: async (body: CredentialRequest, signal: AbortSignal): Promise<Credential> => {
      const created = await unwrap(
        api.POST("/api/v1/projects/{project}/credentials", {
          signal,
          params: { path: { project: slug } },
          body,
        }),
      );
      await refresh(queryClient, slug);
      return created;
    },
    replaceCredential: async (
      credentialId: string,
      body: Pick<CredentialChange, "settings" | "secrets">,
      signal: AbortSignal,
    ): Promise<Credential> => {
      const changed = await unwrap(
        api.PATCH("/api/v1/projects/{project}/credentials/{credential_id}", {
          signal,
          params: { path: { project: slug, credential_id: credentialId } },
          body,
        }),
      );
      await refresh(queryClient, slug);
      return changed;
    },
  };
}

export interface PlainChange {
  credentialId: string;
  change: Pick<CredentialChange, "label" | "is_default">;
}

export function useChangeCredential(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ credentialId, change }: PlainChange) =>
      unwrap(
        api.PATCH("/api/v1/projects/{project}/credentials/{credential_id}", {
          params: { path: { project: slug, credential_id: credentialId } },
          body: change,
        }),
      ),
    onSuccess: () => refresh(queryClient, slug),
  });
}

export function useTestCredential(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (credentialId: string) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/credentials/{credential_id}/test", {
          params: { path: { project: slug, credential_id: credentialId } },
        }),
      ),
    onSuccess: () => refresh(queryClient, slug),
  });
}

export function useDeleteCredential(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (credentialId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/credentials/{credential_id}", {
          params: { path: { project: slug, credential_id: credentialId } },
        }),
      ),
    onSuccess: () => refresh(queryClient, slug),
  });
}
