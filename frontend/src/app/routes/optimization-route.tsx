import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ComparePage } from "@/features/optimizations/compare/compare-page";
import { OptimizationPage } from "@/features/optimizations/optimization-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";
import { useOptimizationNavigation } from "./optimization-navigation";

export function OptimizationRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { slug } = project;
  const { optimizationId } = useParams({
    from: "/signed-in/p/$slug/optimizations/$optimizationId",
  });
  const { candidate } = useSearch({ from: "/signed-in/p/$slug/optimizations/$optimizationId" });
  return (
    <OptimizationPage
      key={optimizationId}
      project={project}
      optimizationId={optimizationId}
      candidate={candidate}
      onCandidateChanged={(number) =>
        void navigate({
          to: "/p/$slug/optimizations/$optimizationId",
          params: { slug, optimizationId },
          search: definedOnly({ candidate: number }),
          replace: true,
          resetScroll: false,
        })
      }
      {...useOptimizationNavigation(slug)}
    />
  );
}

export function OptimizationCompareRoute() {
  const project = useProject();
  const { onCompared } = useOptimizationNavigation(project.slug);
  const { optimizationId, otherId } = useParams({
    from: "/signed-in/p/$slug/optimizations/$optimizationId/compare/$otherId",
  });
  return (
    <ComparePage
      project={project}
      optimizationId={optimizationId}
      otherId={otherId}
      onOtherChosen={(chosen) => onCompared(optimizationId, chosen)}
    />
  );
}
