import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { EditOptimizationPage } from "@/features/optimizations/form/edit-optimization-page";
import { NewOptimizationPage } from "@/features/optimizations/form/new-optimization-page";
import { OptimizationsPage } from "@/features/optimizations/optimizations-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";
import { useOptimizationNavigation } from "./optimization-navigation";

export function OptimizationsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/optimizations" });
  const { slug } = project;
  return (
    <OptimizationsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/optimizations",
          params: { slug },
          search: definedOnly(next),
          replace: true,
        })
      }
      {...useOptimizationNavigation(slug)}
    />
  );
}

export function NewOptimizationRoute() {
  const project = useProject();
  const source = useSearch({ from: "/signed-in/p/$slug/optimizations/new" });
  const { onOpened } = useOptimizationNavigation(project.slug);
  return (
    <NewOptimizationPage
      key={JSON.stringify(source)}
      project={project}
      source={source}
      onSaved={onOpened}
    />
  );
}

export function EditOptimizationRoute() {
  const project = useProject();
  const { optimizationId } = useParams({
    from: "/signed-in/p/$slug/optimizations/$optimizationId/edit",
  });
  const { onOpened } = useOptimizationNavigation(project.slug);
  return (
    <EditOptimizationPage project={project} optimizationId={optimizationId} onSaved={onOpened} />
  );
}
