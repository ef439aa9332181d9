import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { IterationPage } from "@/features/iterations/iteration-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

const FROM = "/signed-in/p/$slug/experiments/$experimentId/iterations/$iterationId";

export function IterationRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { experimentId, iterationId } = useParams({ from: FROM });
  const view = useSearch({ from: FROM });
  const { slug } = project;
  return (
    <IterationPage
      project={project}
      experimentId={experimentId}
      iterationId={iterationId}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/experiments/$experimentId/iterations/$iterationId",
          params: { slug, experimentId, iterationId },
          search: definedOnly(next),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
