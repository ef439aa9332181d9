import { useNavigate, useSearch } from "@tanstack/react-router";
import type { DatasetView } from "@/features/datasets/arrange";
import { DatasetsPage, type CreateFor } from "@/features/datasets/datasets-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function DatasetsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { create, ...view } = useSearch({ from: "/signed-in/p/$slug/datasets" });
  const params = { slug: project.slug };
  const show = (next: DatasetView, creating: CreateFor | undefined) =>
    void navigate({
      to: "/p/$slug/datasets",
      params,
      search: definedOnly({ ...next, create: creating }),
      replace: true,
    });
  return (
    <DatasetsPage
      project={project}
      view={view}
      onViewChanged={(next) => show(next, create)}
      creating={create}
      onCreatingChanged={(creating) => show(view, creating)}
      onDatasetCreated={(datasetId, creating) =>
        void navigate({
          to: "/p/$slug/datasets/$datasetId",
          params: { ...params, datasetId },
          search: creating === "file" ? { import: true } : creating === "case" ? { add: true } : {},
        })
      }
    />
  );
}
