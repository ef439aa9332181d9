import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArenaPage } from "@/features/arena/arena-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function ArenaRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { slug } = project;
  const view = useSearch({ from: "/signed-in/p/$slug/arena" });
  return (
    <ArenaPage
      project={project}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/arena",
          params: { slug },
          search: definedOnly(next),
          replace: true,
          resetScroll: false,
        })
      }
      onRunOpened={(runId) =>
        void navigate({ to: "/p/$slug/runs/$runId", params: { slug, runId } })
      }
    />
  );
}
