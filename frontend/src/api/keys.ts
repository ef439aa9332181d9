/** Every query key of the application; the first parts of a key are its family. */
export const keys = {
  authConfig: ["auth-config"],
  me: ["me"],
  sessions: ["sessions"],
  tokens: ["tokens"],
  invitationPreview: (token: string) => ["invitation-preview", token],
  projects: ["projects"],
  projectList: (filters: object) => ["projects", filters],
  project: (slug: string) => ["project", slug],
  detail: (slug: string) => ["project", slug, "detail"],
  settings: (slug: string) => ["project", slug, "settings"],
  members: (slug: string) => ["project", slug, "members"],
  invitations: (slug: string) => ["project", slug, "invitations"],
  audit: (slug: string) => ["project", slug, "audit"],
  auditList: (slug: string, filters: object) => ["project", slug, "audit", filters],
  datasets: (slug: string) => ["project", slug, "datasets"],
} as const;
