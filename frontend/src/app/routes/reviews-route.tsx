import { ReviewsPage } from "@/features/reviews/reviews-page";
import { useProject } from "../project-context";

export function ReviewsRoute() {
  return <ReviewsPage project={useProject()} />;
}
