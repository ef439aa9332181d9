import { useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { LARGEST_PAGE, readAllPages } from "@/api/pages";
import { promptQuery } from "@/api/prompts";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { draftOf, freeName } from "./experiment-draft";
import type { Session } from "./session";

const GRADER_PROMPT = "grader_prompt";

interface Grader {
  promptId: string;
  modelId: string | null;
}

function listScorers(slug: string) {
  return readAllPages((cursor) =>
    unwrap(
      api.GET("/api/v1/projects/{project}/scorers", {
        params: {
          path: { project: slug },
          query: { limit: LARGEST_PAGE, status: "all", sort: "name", ...cursor },
        },
      }),
    ),
  );
}

/** The saved scorer that grades the same way; made now if there is none. */
async function saveGrader(slug: string, { promptId, modelId }: Grader, name: string) {
  const saved = await listScorers(slug);
  for (const { id, kind, archived_at } of saved) {
    if (kind !== GRADER_PROMPT || archived_at !== null) {
      continue;
    }
    const { options, latest } = await unwrap(
      api.GET("/api/v1/projects/{project}/scorers/{scorer_id}", {
        params: { path: { project: slug, scorer_id: id } },
      }),
    );
    if (options.prompt_id === promptId && options.model_id === modelId) {
      return latest.id;
    }
  }
  const taken = saved.map((scorer) => scorer.name);
  const made = await unwrap(
    api.POST("/api/v1/projects/{project}/scorers", {
      params: { path: { project: slug } },
      body: {
        name: freeName(name, taken),
        kind: GRADER_PROMPT,
        options: { prompt_id: promptId, model_id: modelId, form: "share" },
        weight: 1,
        is_negated: false,
      },
    }),
  );
  return made.latest.id;
}

/** Begins an experiment with all that the playground has; resolves to its id. */
export function useTurnIntoExperiment(slug: string) {
  const queryClient = useQueryClient();
  const at = { project: slug };
  return useRefreshingMutation(
    [keys.experiments(slug), keys.scorers(slug)],
    async (session: Session & { promptId: string }): Promise<string> => {
      const { graders, promptId } = session;
      const prompt = await queryClient.query(promptQuery(slug, promptId));
      const grader =
        graders.promptId === null
          ? null
          : await queryClient.query(promptQuery(slug, graders.promptId));
      const graderVersionId =
        grader === null
          ? null
          : await saveGrader(slug, { promptId: grader.id, modelId: graders.modelId }, grader.name);
      const experiment = await unwrap(
        api.POST("/api/v1/projects/{project}/experiments", {
          params: { path: at },
          body: { name: prompt.name.slice(0, 100) },
        }),
      );
      await unwrap(
        api.PUT("/api/v1/projects/{project}/experiments/{experiment_id}/draft", {
          params: { path: { ...at, experiment_id: experiment.id } },
          body: {
            draft_version: experiment.draft_version,
            step: "objective",
            draft: draftOf({ session, blank: experiment.draft, graderVersionId }),
          },
        }),
      );
      return experiment.id;
    },
  );
}
