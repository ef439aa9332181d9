import { keys } from "@/api/keys";
import { pages } from "@/api/queries";

const PAGE_SIZE = 50;

export const membersQuery = (slug: string) =>
  pages("/projects/{project}/members", { project: slug, query: { limit: PAGE_SIZE } });

export const invitationsQuery = (slug: string) =>
  pages("/projects/{project}/invitations", { project: slug, query: { limit: PAGE_SIZE } });

/** Queries to invalidate when members change. */
export const memberFamilies = (slug: string) => ({
  refresh: [
    keys.members(slug),
    keys.invitations(slug),
    keys.detail(slug),
    keys.audit(slug),
    keys.projects,
  ],
});
