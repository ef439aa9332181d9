import { keys } from "./keys";

export const PROJECT_EVENTS = [
  "project.changed",
  "settings.changed",
  "member.changed",
  "invitation.changed",
  "dataset.changed",
  "credential.changed",
  "model.changed",
] as const;

export type ProjectEvent = (typeof PROJECT_EVENTS)[number];

type QueryKey = readonly unknown[];

const AFFECTED: Record<ProjectEvent, (slug: string) => QueryKey[]> = {
  "project.changed": (slug) => [keys.detail(slug), keys.projects],
  "settings.changed": (slug) => [keys.settings(slug)],
  // One's own role may have changed with it, and the number of members shows on cards.
  "member.changed": (slug) => [
    keys.members(slug),
    keys.invitations(slug),
    keys.detail(slug),
    keys.projects,
  ],
  "invitation.changed": (slug) => [keys.invitations(slug)],
  "dataset.changed": (slug) => [keys.datasets(slug), keys.detail(slug)],
  "credential.changed": (slug) => [keys.credentials(slug)],
  "model.changed": (slug) => [keys.models(slug)],
};

/** Which cached answers an event of a project has made old. Every event is audited, too. */
export function affectedKeys(event: string, slug: string): QueryKey[] {
  if (!Object.hasOwn(AFFECTED, event)) {
    return [];
  }
  return [...AFFECTED[event as ProjectEvent](slug), keys.audit(slug)];
}
