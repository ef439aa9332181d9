import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

const FIVE_MINUTES = 5 * 60_000;

/** All models of a project: every place that offers a choice among them needs every one. */
export const modelsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.models(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/models", {
            signal,
            params: { path: { project: slug }, query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
  });

/** What is known of a provider's model before anybody has added it. */
export const knownModelQuery = (slug: string, credentialId: string, name: string) =>
  queryOptions({
    queryKey: keys.knownModel(slug, credentialId, name),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/known-models", {
          signal,
          params: {
            path: { project: slug },
            query: { credential_id: credentialId, provider_model: name },
          },
        }),
      ),
    staleTime: FIVE_MINUTES,
  });

/** Which models go well together, and which cost a lot. */
export const modelAdviceQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.modelAdvice(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/model-advice", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    staleTime: 0,
  });
