import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";
import { LARGEST_PAGE } from "./pages";

/** The newest versions of a prompt; a hundred are choice enough. */
export const versionChoicesQuery = (slug: string, promptId: string) =>
  queryOptions({
    queryKey: [...keys.promptVersions(slug, promptId), "choices"],
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET("/api/v1/projects/{project}/prompts/{prompt_id}/versions", {
          signal,
          params: {
            path: { project: slug, prompt_id: promptId },
            query: { limit: LARGEST_PAGE },
          },
        }),
      );
      return page.items;
    },
  });
