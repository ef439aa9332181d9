import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ModelView } from "@/features/models/arrange";
import { ModelsPage } from "@/features/models/models-page";
import type { ModelOverlay } from "@/features/models/overlay";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function ModelsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { q, provider, sort, ...overlay } = useSearch({ from: "/signed-in/p/$slug/models" });
  const view: ModelView = { q, provider, sort };
  const params = { slug: project.slug };
  const show = (next: ModelView, over: ModelOverlay) =>
    void navigate({
      to: "/p/$slug/models",
      params,
      search: definedOnly({ ...next, sort: next.sort === "name" ? undefined : next.sort, ...over }),
      replace: true,
    });
  return (
    <ModelsPage
      project={project}
      view={view}
      onViewChanged={(next) => show(next, overlay)}
      overlay={overlay}
      onOverlayChanged={(next) => show(view, next)}
      onProviderWanted={() =>
        void navigate({ to: "/p/$slug/settings/providers", params, search: { add: "choose" } })
      }
    />
  );
}
