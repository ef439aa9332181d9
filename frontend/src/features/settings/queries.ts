import { keys } from "@/api/keys";
import { query } from "@/api/queries";
import type { RefreshOptions } from "@/api/refreshing-mutation";
import type { components } from "@/api/schema.gen";

export const settingsQuery = (slug: string) =>
  query("/projects/{project}/settings", { project: slug });

export const retentionQuery = (slug: string) =>
  query("/projects/{project}/retention", { project: slug });

/** Puts the returned project into the cache and invalidates the lists of projects. */
export const projectFamilies = (slug: string) => ({
  refresh: [keys.projects, keys.audit(slug)],
  keep: ((queryClient, project) => {
    const { queryKey } = query("/projects/{project}", { project: project.slug });
    queryClient.setQueryData(queryKey, project);
  }) satisfies RefreshOptions<never, components["schemas"]["ProjectDetail"]>["keep"],
});
