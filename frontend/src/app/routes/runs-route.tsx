import { useNavigate, useSearch } from "@tanstack/react-router";
import { RunsPage } from "@/features/runs/runs-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function RunsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/runs" });
  const params = { slug: project.slug };
  return (
    <RunsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({ to: "/p/$slug/runs", params, search: definedOnly(next), replace: true })
      }
      onRunOpened={(runId) =>
        void navigate({ to: "/p/$slug/runs/$runId", params: { ...params, runId } })
      }
    />
  );
}
