import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";
import type { ScorerTrialRequest } from "./types";

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

/** One answer scored; the result belongs to exactly what was asked. */
export const trialQuery = (slug: string, wanted: ScorerTrialRequest & { turn: number }) =>
  queryOptions({
    queryKey: keys.scorerTrial(slug, wanted),
    queryFn: ({ signal }) => {
      const { turn: _, ...body } = wanted;
      return unwrap(
        api.POST("/api/v1/projects/{project}/scorers/try", {
          signal,
          params: { path: { project: slug } },
          body,
        }),
      );
    },
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
