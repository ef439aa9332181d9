import { useParams } from "@tanstack/react-router";
import { ReviewPage } from "@/features/reviews/review-page";
import { useProject } from "../project-context";

export function ReviewRoute() {
  const { suggestionId } = useParams({ from: "/signed-in/p/$slug/reviews/$suggestionId" });
  return <ReviewPage key={suggestionId} project={useProject()} suggestionId={suggestionId} />;
}
