import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { OwnPage } from "@/features/reviews/own-page";
import { useProject } from "../project-context";

/** Redirects to the reviews when no experiment is given. */
export function OwnSuggestionRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { experiment } = useSearch({ from: "/signed-in/p/$slug/reviews/new" });
  const params = { slug: project.slug };
  if (experiment === undefined) {
    return <Navigate to="/p/$slug/reviews" params={params} replace />;
  }
  return (
    <OwnPage
      key={experiment}
      project={project}
      experimentId={experiment}
      onProposed={(suggestionId) =>
        void navigate({
          to: "/p/$slug/reviews/$suggestionId",
          params: { ...params, suggestionId },
          replace: true,
        })
      }
    />
  );
}
