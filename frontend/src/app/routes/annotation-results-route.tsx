import { useParams } from "@tanstack/react-router";
import { ResultsPage } from "@/features/annotation/results-page";
import { useProject } from "../project-context";

export function AnnotationResultsRoute() {
  const project = useProject();
  const { queueId } = useParams({ from: "/signed-in/p/$slug/annotation/$queueId/results" });
  return <ResultsPage key={queueId} project={project} queueId={queueId} />;
}
