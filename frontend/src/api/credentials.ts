import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

/** The kinds of providers and their forms; they change only with the program itself. */
export const providersQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.providers(slug),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/providers", {
          signal,
          params: { path: { project: slug } },
        }),
      ),
    select: (page) => page.items,
    staleTime: Infinity,
  });

/** All credentials: they are few, and choosing among them needs every one. */
export const credentialsQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.credentials(slug),
    queryFn: ({ signal }) =>
      readAllPages((cursor) =>
        unwrap(
          api.GET("/api/v1/projects/{project}/credentials", {
            signal,
            params: { path: { project: slug }, query: { limit: LARGEST_PAGE, ...cursor } },
          }),
        ),
      ),
  });
