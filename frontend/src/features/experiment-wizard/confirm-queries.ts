import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";

const EXPERIMENT = "/projects/{project}/experiments/{experiment_id}";

/** The experiment was created, but its iteration did not start. */
export class NotStarted extends Error {
  constructor(readonly reason: unknown) {
    super("The iteration did not start.");
  }
}

/**
 * Creates the experiment from its draft and optionally starts an iteration. Returns the iteration's
 * id, or null.
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
    // The confirmation may have succeeded before the start was refused.
    { always: true },
  );
}
