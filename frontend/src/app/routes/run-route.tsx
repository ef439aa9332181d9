import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { RunPage } from "@/features/runs/run-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function RunRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { runId } = useParams({ from: "/signed-in/p/$slug/runs/$runId" });
  const view = useSearch({ from: "/signed-in/p/$slug/runs/$runId" });
  const { slug } = project;
  return (
    <RunPage
      project={project}
      runId={runId}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/runs/$runId",
          params: { slug, runId },
          search: definedOnly(next),
          replace: true,
          resetScroll: false,
        })
      }
      onRunOpened={(opened) =>
        void navigate({ to: "/p/$slug/runs/$runId", params: { slug, runId: opened } })
      }
      onLeft={() => void navigate({ to: "/p/$slug/runs", params: { slug } })}
    />
  );
}
