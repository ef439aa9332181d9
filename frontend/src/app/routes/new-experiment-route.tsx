import { useNavigate } from "@tanstack/react-router";
import { NewExperimentPage } from "@/features/experiment-wizard/new-page";
import { useProject } from "../project-context";

export function NewExperimentRoute() {
  const navigate = useNavigate();
  const project = useProject();
  return (
    <NewExperimentPage
      project={project}
      onExperimentCreated={(experimentId) =>
        void navigate({
          to: "/p/$slug/experiments/$experimentId/setup",
          params: { slug: project.slug, experimentId },
          replace: true,
        })
      }
    />
  );
}
