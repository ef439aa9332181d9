import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { cursorPaging, flattenPages } from "@/api/pages";
import type { Project } from "@/api/types";
import type { Role } from "@/lib/permissions";

export const PROJECTS_PER_PAGE = 20;
export const MIN_SEARCH_LENGTH = 2;

export const PROJECT_STATUSES = ["active", "archived", "all"] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export interface ProjectFilters {
  q?: string | undefined;
  role?: Role | undefined;
  status?: ProjectStatus | undefined;
}

export const projectListQuery = ({ q, role, status }: ProjectFilters) =>
  infiniteQueryOptions({
    queryKey: keys.projectList({ q, role, status }),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/v1/projects", {
          signal,
          params: {
            query: {
              limit: PROJECTS_PER_PAGE,
              sort: "-updated_at",
              status: status ?? "active",
              ...(pageParam === null ? {} : { cursor: pageParam }),
              ...(q === undefined ? {} : { q }),
              ...(role === undefined ? {} : { role }),
            },
          },
        }),
      ),
    ...cursorPaging,
    select: flattenPages,
  });

export const projectQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.detail(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}", { signal, params: { path: { project: slug } } }),
      ),
  });

export const datasetsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.datasets(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/datasets", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
  });

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; description: string | null }): Promise<Project> =>
      unwrap(api.POST("/api/v1/projects", { body })),
    onSuccess: (project) => {
      queryClient.setQueryData(keys.detail(project.slug), project);
      return queryClient.invalidateQueries({ queryKey: keys.projects });
    },
  });
}
