import { useNavigate, useSearch } from "@tanstack/react-router";
import { MonitorsPage } from "@/features/monitors/monitors-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function MonitorsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/monitors" });
  const params = { slug: project.slug };
  return (
    <MonitorsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({ to: "/p/$slug/monitors", params, search: definedOnly(next), replace: true })
      }
      onOpened={(monitorId) =>
        void navigate({ to: "/p/$slug/monitors/$monitorId", params: { ...params, monitorId } })
      }
    />
  );
}
