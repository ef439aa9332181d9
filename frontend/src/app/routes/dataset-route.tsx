import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { DatasetPage, type DatasetTab } from "@/features/datasets/dataset-page";
import type { DatasetOverlay } from "@/features/datasets/overlay";
import type { CaseView } from "@/features/datasets/view";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function DatasetRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { datasetId } = useParams({ from: "/signed-in/p/$slug/datasets/$datasetId" });
  const { tab, ...search } = useSearch({ from: "/signed-in/p/$slug/datasets/$datasetId" });
  const { case: caseId, add, import: importing, duplicates, ...rest } = search;
  const { generate, gap, generation, ...view } = rest;
  const overlay: DatasetOverlay = {
    case: caseId,
    add,
    import: importing,
    duplicates,
    generate,
    gap,
    generation,
  };
  const params = { slug: project.slug, datasetId };
  const show = (shown: DatasetTab, next: CaseView, over: DatasetOverlay) =>
    void navigate({
      to: "/p/$slug/datasets/$datasetId",
      params,
      search: definedOnly({ ...next, ...over, tab: shown === "cases" ? undefined : shown }),
      replace: true,
    });
  const shownTab = tab ?? "cases";
  return (
    <DatasetPage
      key={datasetId}
      project={project}
      datasetId={datasetId}
      tab={shownTab}
      onTabChanged={(next) => show(next, view, {})}
      view={view}
      onViewChanged={(next) => show(shownTab, next, overlay)}
      overlay={overlay}
      onOverlayChanged={(next) => show(shownTab, view, next)}
      onDeleted={() => void navigate({ to: "/p/$slug/datasets", params: { slug: project.slug } })}
    />
  );
}
