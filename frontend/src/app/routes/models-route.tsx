import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ModelView } from "@/features/models/arrange";
import { ModelsPage } from "@/features/models/models-page";
import type { ModelOverlay } from "@/features/models/overlay";
import { definedOnly, safeNext } from "@/lib/search";
import { useProject } from "../project-context";

export function ModelsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { q, provider, sort, next, ...overlay } = useSearch({ from: "/signed-in/p/$slug/models" });
  const view: ModelView = { q, provider, sort };
  const params = { slug: project.slug };
  const show = (shown: ModelView, over: ModelOverlay) =>
    void navigate({
      to: "/p/$slug/models",
      params,
      search: definedOnly({
        ...shown,
        sort: shown.sort === "name" ? undefined : shown.sort,
        ...over,
        next: over.import === undefined ? undefined : next,
      }),
      replace: true,
    });
  return (
    <ModelsPage
      project={project}
      view={view}
      onViewChanged={(changed) => show(changed, overlay)}
      overlay={overlay}
      onOverlayChanged={(changed) => show(view, changed)}
      onModelsImported={() =>
        next === undefined ? show(view, {}) : void navigate({ to: safeNext(next) })
      }
    />
  );
}
