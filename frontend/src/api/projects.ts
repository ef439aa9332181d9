import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE, readAllPages } from "./pages";

/** All projects one belongs to, archived ones too, to choose one of them or name one by its id. */
export const projectChoicesQuery = queryOptions({
  queryKey: keys.projectList({ choices: true }),
  queryFn: ({ signal }) =>
    readAllPages((cursor) =>
      unwrap(
        api.GET("/api/v1/projects", {
          signal,
          params: { query: { limit: LARGEST_PAGE, sort: "name", status: "all", ...cursor } },
        }),
      ),
    ),
});
