import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { experimentQuery } from "@/api/experiments";
import type { Experiment, StepProblem } from "@/api/types";
import { useSaver } from "@/components/draft-saving/use-saver";
import { isUnsaved } from "@/components/draft-saving/saving-state";
import { useDebounced } from "@/lib/hooks";
import { estimateQuery, saveDraft } from "./queries";
import { errorsOf, problemsOf, RULES, type Content, type SavedDraft } from "./wizard-draft";
import { STEPS, type Draft, type Step } from "./wizard-step";

const SAVE_EVERY = 30_000;
const ESTIMATE_DELAY = 500;
const NO_PROBLEMS: readonly StepProblem[] = [];

function useSavedDraft(slug: string, experiment: Experiment) {
  const queryClient = useQueryClient();
  const send = async ({ name, step, draft }: Content, base: SavedDraft): Promise<SavedDraft> => {
    const saved = await saveDraft(slug, experiment.id, {
      draft_version: base.draft_version,
      step,
      draft,
      // An empty name keeps the saved one.
      ...(name.trim() === "" ? {} : { name: name.trim() }),
    });
    const news = { name, step, draft, ...saved };
    queryClient.setQueryData(experimentQuery(slug, experiment.id).queryKey, (known) =>
      known === undefined ? undefined : { ...known, ...news },
    );
    return news;
  };
  return useSaver<Content, SavedDraft>(experiment, {
    rules: RULES,
    delays: { delay: SAVE_EVERY, after: "first" },
    send,
  });
}

/** Steps whose problems are shown: the visited ones. */
function passedSteps(experiment: Experiment): ReadonlySet<Step> {
  const isConfirmed = experiment.state !== "draft";
  return new Set(isConfirmed ? STEPS : STEPS.slice(0, STEPS.indexOf(experiment.step)));
}

/** State of the setup wizard: draft, saving, problems and estimate. */
export function useWizard(slug: string, experiment: Experiment) {
  const { state, saver } = useSavedDraft(slug, experiment);
  const [passed, setPassed] = useState(() => passedSteps(experiment));
  const { draft } = state.mine;
  const settled = useDebounced(draft, ESTIMATE_DELAY);
  const estimate = useQuery(estimateQuery(slug, experiment.id, settled));
  const problems = estimate.data?.problems ?? NO_PROBLEMS;
  const pass = (...steps: Step[]) => setPassed((known) => new Set([...known, ...steps]));
  return {
    state,
    saver,
    draft,
    isDirty: isUnsaved(RULES, state),
    estimate,
    isCurrent: settled === draft && !estimate.isPlaceholderData && !estimate.isFetching,
    problems,
    passed,
    /** Shows the problems of these steps from now on. */
    pass,
    errorsOf: (step: Step) => (passed.has(step) ? errorsOf(problemsOf(problems, step)) : {}),
    change: <S extends Step>(step: S, change: Partial<Draft[S]>) => {
      const { mine } = saver.getState();
      saver.edit({
        ...mine,
        draft: { ...mine.draft, [step]: { ...mine.draft[step], ...change } },
      });
    },
    rename: (name: string) => saver.edit({ ...saver.getState().mine, name }),
    /** Saves the current step, to continue there later. */
    visit: (step: Step) => {
      const { mine } = saver.getState();
      if (mine.step !== step) {
        saver.edit({ ...mine, step });
        void saver.flush();
      }
    },
  };
}

export type Wizard = ReturnType<typeof useWizard>;
