import { keys } from "./keys";
import { APART, query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";

/** Experiments to begin with, every step filled in. */
export const templatesQuery = (slug: string) =>
  query(
    "/projects/{project}/experiments/templates",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );

/** Begins one with a template, or with nothing. */
export function useCreateExperiment(slug: string) {
  return useRefreshingMutation(
    [keys.experiments(slug), keys.audit(slug)],
    (template: string | null) =>
      send("post", "/projects/{project}/experiments", {
        project: slug,
        body: template === null ? {} : { template },
      }),
  );
}
