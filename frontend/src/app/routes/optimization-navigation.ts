import { useNavigate } from "@tanstack/react-router";

/** Navigation between the pages of optimizations. */
export function useOptimizationNavigation(slug: string) {
  const navigate = useNavigate();
  return {
    onOpened: (optimizationId: string) =>
      void navigate({
        to: "/p/$slug/optimizations/$optimizationId",
        params: { slug, optimizationId },
      }),
    onEdited: (optimizationId: string) =>
      void navigate({
        to: "/p/$slug/optimizations/$optimizationId/edit",
        params: { slug, optimizationId },
      }),
    onRepeated: (from: string) =>
      void navigate({ to: "/p/$slug/optimizations/new", params: { slug }, search: { from } }),
    onCompared: (optimizationId: string, otherId: string) =>
      void navigate({
        to: "/p/$slug/optimizations/$optimizationId/compare/$otherId",
        params: { slug, optimizationId, otherId },
      }),
    onLeft: () => void navigate({ to: "/p/$slug/optimizations", params: { slug } }),
  };
}
