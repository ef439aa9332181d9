import { keys } from "./keys";
import { APART, query } from "./queries";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";

/** Experiment templates with all steps filled in. */
export const templatesQuery = (slug: string) =>
  query(
    "/projects/{project}/experiments/templates",
    { project: slug },
    { family: APART, staleTime: Infinity },
  );

/** Creates an experiment from a template or from scratch. */
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
