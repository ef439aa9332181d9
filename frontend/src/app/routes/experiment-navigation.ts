import { useNavigate } from "@tanstack/react-router";
import type { ExperimentEvents } from "@/features/experiments/use-experiment-commands";

/** Navigation targets of an experiment's commands. */
export function useExperimentNavigation(slug: string): ExperimentEvents {
  const navigate = useNavigate();
  return {
    onSetupOpened: (experimentId) =>
      void navigate({
        to: "/p/$slug/experiments/$experimentId/setup",
        params: { slug, experimentId },
      }),
    onReportOpened: (experimentId) =>
      void navigate({
        to: "/p/$slug/experiments/$experimentId/report",
        params: { slug, experimentId },
      }),
    onCompared: (experimentId, otherId) =>
      void navigate({
        to: "/p/$slug/experiments/$experimentId/compare/$otherId",
        params: { slug, experimentId, otherId },
      }),
  };
}
