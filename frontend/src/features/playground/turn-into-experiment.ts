import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { promptQuery } from "@/api/prompts";
import { allPages } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import { draftOf, freeName } from "./experiment-draft";
import type { Session } from "./session";

const GRADER_PROMPT = "grader_prompt";

interface Grader {
  promptId: string;
  modelId: string | null;
}

const everyScorerQuery = (slug: string) =>
  allPages(
    "/projects/{project}/scorers",
    { project: slug, query: { status: "all", sort: "name" } },
    { staleTime: 0 },
  );

/** Saved scorer for the grader prompt; created if there is none. */
async function saveGrader(
  queryClient: QueryClient,
  slug: string,
  { promptId, modelId }: Grader,
  name: string,
) {
  const saved = await queryClient.query(everyScorerQuery(slug));
  for (const { id, kind, archived_at } of saved) {
    if (kind !== GRADER_PROMPT || archived_at !== null) {
      continue;
    }
    const { options, latest } = await send("get", "/projects/{project}/scorers/{scorer_id}", {
      project: slug,
      scorer_id: id,
    });
    if (options.prompt_id === promptId && options.model_id === modelId) {
      return latest.id;
    }
  }
  const taken = saved.map((scorer) => scorer.name);
  const made = await send("post", "/projects/{project}/scorers", {
    project: slug,
    body: {
      name: freeName(name, taken),
      kind: GRADER_PROMPT,
      options: { prompt_id: promptId, model_id: modelId, form: "share" },
      weight: 1,
      is_negated: false,
    },
  });
  return made.latest.id;
}

/** Creates an experiment from the playground; resolves to its id. */
export function useTurnIntoExperiment(slug: string) {
  const queryClient = useQueryClient();
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
          : await saveGrader(
              queryClient,
              slug,
              { promptId: grader.id, modelId: graders.modelId },
              grader.name,
            );
      const experiment = await send("post", "/projects/{project}/experiments", {
        project: slug,
        body: { name: prompt.name.slice(0, 100) },
      });
      await send("put", "/projects/{project}/experiments/{experiment_id}/draft", {
        project: slug,
        experiment_id: experiment.id,
        body: {
          draft_version: experiment.draft_version,
          step: "objective",
          draft: draftOf({ session, blank: experiment.draft, graderVersionId }),
        },
      });
      return experiment.id;
    },
  );
}
