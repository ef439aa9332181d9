import { useNavigate, useParams } from "@tanstack/react-router";
import { ExperimentPage } from "@/features/experiments/experiment-page";
import { useProject } from "../project-context";
import { useExperimentNavigation } from "./experiment-navigation";

export function ExperimentRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { experimentId } = useParams({ from: "/signed-in/p/$slug/experiments/$experimentId" });
  const { slug } = project;
  return (
    <ExperimentPage
      key={experimentId}
      project={project}
      experimentId={experimentId}
      onIterationOpened={(iterationId) =>
        void navigate({
          to: "/p/$slug/experiments/$experimentId/iterations/$iterationId",
          params: { slug, experimentId, iterationId },
        })
      }
      onLeft={() => void navigate({ to: "/p/$slug/experiments", params: { slug } })}
      {...useExperimentNavigation(slug)}
    />
  );
}
