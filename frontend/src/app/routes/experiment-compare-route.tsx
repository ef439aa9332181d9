import { useParams } from "@tanstack/react-router";
import { ComparePage } from "@/features/experiments/compare/compare-page";
import { useProject } from "../project-context";
import { useExperimentNavigation } from "./experiment-navigation";

export function ExperimentCompareRoute() {
  const project = useProject();
  const { onCompared } = useExperimentNavigation(project.slug);
  const { experimentId, otherId } = useParams({
    from: "/signed-in/p/$slug/experiments/$experimentId/compare/$otherId",
  });
  return (
    <ComparePage
      project={project}
      experimentId={experimentId}
      otherId={otherId}
      onOtherChosen={(chosen) => onCompared(experimentId, chosen)}
    />
  );
}
