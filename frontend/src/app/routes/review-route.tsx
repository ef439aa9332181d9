import { useNavigate, useParams } from "@tanstack/react-router";
import { ReviewPage } from "@/features/reviews/review-page";
import { useProject } from "../project-context";

export function ReviewRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { suggestionId } = useParams({ from: "/signed-in/p/$slug/reviews/$suggestionId" });
  const { slug } = project;
  return (
    <ReviewPage
      key={suggestionId}
      project={project}
      suggestionId={suggestionId}
      onSuggestionOpened={(next) =>
        void navigate({
          to: "/p/$slug/reviews/$suggestionId",
          params: { slug, suggestionId: next },
        })
      }
      onIterationOpened={(experimentId, iterationId) =>
        void navigate({
          to: "/p/$slug/experiments/$experimentId/iterations/$iterationId",
          params: { slug, experimentId, iterationId },
        })
      }
    />
  );
}
