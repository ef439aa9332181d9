import { useParams } from "@tanstack/react-router";
import { IterationPage } from "@/features/iterations/iteration-page";
import { useProject } from "../project-context";

export function IterationRoute() {
  const project = useProject();
  const { experimentId, iterationId } = useParams({
    from: "/signed-in/p/$slug/experiments/$experimentId/iterations/$iterationId",
  });
  return <IterationPage project={project} experimentId={experimentId} iterationId={iterationId} />;
}
