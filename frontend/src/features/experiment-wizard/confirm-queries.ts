import { useQueryClient, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";

const at = (slug: string, experimentId: string) => ({
  params: { path: { project: slug, experiment_id: experimentId } },
});

/** An iteration did not start although the experiment was made of its draft. */
export class NotStarted extends Error {
  constructor(readonly reason: unknown) {
    super("The iteration did not start.");
  }
}

/**
 * Makes the experiment of its draft and, if wanted, starts an iteration. Returns that one's id, null
 * when none was wanted.
 */
export function useConfirm(slug: string, experimentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ starts }: { starts: boolean }): Promise<string | null> => {
      await unwrap(
        api.POST(
          "/api/v1/projects/{project}/experiments/{experiment_id}/confirm",
          at(slug, experimentId),
        ),
      );
      if (!starts) {
        return null;
      }
      try {
        const iteration = await unwrap(
          api.POST("/api/v1/projects/{project}/experiments/{experiment_id}/iterations", {
            ...at(slug, experimentId),
            body: {},
          }),
        );
        return iteration.id;
      } catch (error) {
        throw new NotStarted(error);
      }
    },
    // Also after a failure: confirming may have succeeded before the start was refused.
    onSettled: () =>
      Promise.all(
        [
          keys.experiments(slug),
          keys.datasets(slug),
          keys.prompts(slug),
          keys.rubrics(slug),
          keys.budgets(slug),
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
