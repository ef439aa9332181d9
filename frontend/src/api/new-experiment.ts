import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { useRefreshingMutation } from "./refreshing-mutation";

/** Experiments to begin with, every step filled in. */
export const templatesQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.experimentTemplates(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/experiments/templates", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    staleTime: Infinity,
  });

/** Begins one with a template, or with nothing. */
export function useCreateExperiment(slug: string) {
  return useRefreshingMutation(
    [keys.experiments(slug), keys.audit(slug)],
    (template: string | null) =>
      unwrap(
        api.POST("/api/v1/projects/{project}/experiments", {
          params: { path: { project: slug } },
          body: template === null ? {} : { template },
        }),
      ),
  );
}
