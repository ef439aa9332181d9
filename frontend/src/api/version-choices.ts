import { queryOptions } from "@tanstack/react-query";
import { LARGEST_PAGE } from "./pages";
import { query } from "./queries";

/** The newest versions of a prompt, at most a hundred. */
export const versionChoicesQuery = (slug: string, promptId: string) =>
  queryOptions({
    ...query("/projects/{project}/prompts/{prompt_id}/versions", {
      project: slug,
      prompt_id: promptId,
      query: { limit: LARGEST_PAGE },
    }),
    select: (page) => page.items,
  });
