import { useNavigate, useSearch } from "@tanstack/react-router";
import { AlertsPage } from "@/features/alerts/alerts-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function AlertsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/monitors/alerts" });
  return (
    <AlertsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/monitors/alerts",
          params: { slug: project.slug },
          search: definedOnly(next),
          replace: true,
        })
      }
    />
  );
}
