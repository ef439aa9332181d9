import { useNavigate, useSearch } from "@tanstack/react-router";
import { NewRunPage } from "@/features/runs/new-run-page";
import { useProject } from "../project-context";

export function NewRunRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const preset = useSearch({ from: "/signed-in/p/$slug/runs/new" });
  return (
    <NewRunPage
      project={project}
      preset={preset}
      onRunStarted={(runId) =>
        void navigate({ to: "/p/$slug/runs/$runId", params: { slug: project.slug, runId } })
      }
    />
  );
}
