import { useNavigate, useSearch } from "@tanstack/react-router";
import { ReviewsPage } from "@/features/reviews/reviews-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function ReviewsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const view = useSearch({ from: "/signed-in/p/$slug/reviews" });
  return (
    <ReviewsPage
      project={project}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/reviews",
          params: { slug: project.slug },
          search: definedOnly(next),
          replace: true,
        })
      }
    />
  );
}
