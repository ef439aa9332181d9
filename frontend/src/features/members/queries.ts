import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { InvitableRole, Role } from "@/lib/permissions";

const PAGE_SIZE = 50;

export const membersQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: keys.members(slug),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/members", {
          signal,
          params: {
            path: { project: slug },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const invitationsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: keys.invitations(slug),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/invitations", {
          signal,
          params: {
            path: { project: slug },
            query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

/** A change of members, after which everything that shows members is read again. */
function useMemberMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation(
    [
      keys.members(slug),
      keys.invitations(slug),
      keys.detail(slug),
      keys.audit(slug),
      keys.projects,
    ],
    mutationFn,
  );
}

export function useChangeRole(slug: string) {
  return useMemberMutation(slug, ({ memberId, role }: { memberId: string; role: Role }) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/members/{member_id}", {
        params: { path: { project: slug, member_id: memberId } },
        body: { role },
      }),
    ),
  );
}

export function useRemoveMember(slug: string) {
  return useMemberMutation(slug, (memberId: string) =>
    unwrap(
      api.DELETE("/api/v1/projects/{project}/members/{member_id}", {
        params: { path: { project: slug, member_id: memberId } },
      }),
    ),
  );
}

/** Leaving ends the right to read the project: only the list of projects is read again. */
export function useLeaveProject(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (memberId: string) =>
      unwrap(
        api.DELETE("/api/v1/projects/{project}/members/{member_id}", {
          params: { path: { project: slug, member_id: memberId } },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useTransferOwnership(slug: string) {
  return useMemberMutation(slug, (memberId: string) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/ownership", {
        params: { path: { project: slug } },
        body: { member_id: memberId },
      }),
    ),
  );
}

export interface InvitationDraft {
  email: string | null;
  role: InvitableRole;
  message: string | null;
}

export function useInvite(slug: string) {
  return useMemberMutation(slug, (body: InvitationDraft) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/invitations", {
        params: { path: { project: slug } },
        body,
      }),
    ),
  );
}

export function useRevokeInvitation(slug: string) {
  return useMemberMutation(slug, (invitationId: string) =>
    unwrap(
      api.DELETE("/api/v1/projects/{project}/invitations/{invitation_id}", {
        params: { path: { project: slug, invitation_id: invitationId } },
      }),
    ),
  );
}
