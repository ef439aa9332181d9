import { useSearch, useNavigate } from "@tanstack/react-router";
import { ExperimentsPage } from "@/features/experiments/experiments-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";
import { useExperimentNavigation } from "./experiment-navigation";

export function ExperimentsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/experiments" });
  const { slug } = project;
  return (
    <ExperimentsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/experiments",
          params: { slug },
          search: definedOnly(next),
          replace: true,
        })
      }
      {...useExperimentNavigation(slug)}
    />
  );
}
