import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";

const EXPERIMENT = "/projects/{project}/experiments/{experiment_id}";

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
  const at = { project: slug, experiment_id: experimentId };
  return useRefreshingMutation(
    [
      keys.experiments(slug),
      keys.datasets(slug),
      keys.prompts(slug),
      keys.rubrics(slug),
      keys.budgets(slug),
    ],
    async ({ starts }: { starts: boolean }): Promise<string | null> => {
      await send("post", `${EXPERIMENT}/confirm`, at);
      if (!starts) {
        return null;
      }
      try {
        return (await send("post", `${EXPERIMENT}/iterations`, { ...at, body: {} })).id;
      } catch (error) {
        throw new NotStarted(error);
      }
    },
    // Confirming may have succeeded before the start was refused.
    { always: true },
  );
}
