import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

/** The kinds of scorers and their forms; they change only with the program itself. */
export const scorerKindsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.scorerKinds(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/scorers/kinds", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    staleTime: Infinity,
  });

/** The kinds of comparers and their forms. */
export const comparerKindsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.comparerKinds(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/comparers/kinds", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    staleTime: Infinity,
  });

/** All saved scorers that are in use, to choose among them. */
export const savedScorersQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.scorerChoices(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/scorers", {
            signal,
            params: {
              path: { project: slug },
              query: { limit: LARGEST_PAGE, sort: "name", ...cursor },
            },
          }),
        ),
      ),
  });

/** The project's grader prompts, for scorers that use one. */
export const graderChoicesQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.graderChoices(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/prompts", {
            signal,
            params: {
              path: { project: slug },
              query: { limit: LARGEST_PAGE, kind: "grader", ...cursor },
            },
          }),
        ),
      ),
  });
