import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project, SettingsUpdate } from "@/api/types";

export const settingsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.settings(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/settings", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
  });

export function useSaveSettings(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsUpdate) =>
      unwrap(
        api.PUT("/api/v1/projects/{project}/settings", {
          params: { path: { project: slug } },
          body,
        }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(keys.settings(slug), saved);
      return queryClient.invalidateQueries({ queryKey: keys.audit(slug) });
    },
  });
}

function useProjectMutation<V>(slug: string, mutationFn: (variables: V) => Promise<Project>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (project) => {
      queryClient.setQueryData(keys.detail(project.slug), project);
      return Promise.all(
        [keys.projects, keys.audit(slug)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
}

export function useUpdateProject(slug: string) {
  return useProjectMutation(slug, (body: { name: string; description: string | null }) =>
    unwrap(api.PATCH("/api/v1/projects/{project}", { params: { path: { project: slug } }, body })),
  );
}

export function useArchiveProject(slug: string) {
  const params = { params: { path: { project: slug } } };
  return useProjectMutation(slug, (archive: boolean) =>
    archive
      ? unwrap(api.POST("/api/v1/projects/{project}/archive", params))
      : unwrap(api.POST("/api/v1/projects/{project}/unarchive", params)),
  );
}

export function useDeleteProject(slug: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.DELETE("/api/v1/projects/{project}", { params: { path: { project: slug } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useRequireTwoFactor(slug: string) {
  return useProjectMutation(slug, (required: boolean) =>
    unwrap(
      api.PUT("/api/v1/projects/{project}/two-factor", {
        params: { path: { project: slug } },
        body: { is_required: required },
      }),
    ),
  );
}
