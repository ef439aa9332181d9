import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ResultsTab } from "@/features/results/results-tab";
import { RunPage } from "@/features/runs/run-page";
import type { RunView } from "@/features/runs/run-view";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function RunRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { runId } = useParams({ from: "/signed-in/p/$slug/runs/$runId" });
  const view = useSearch({ from: "/signed-in/p/$slug/runs/$runId" });
  const { slug } = project;
  const onViewChanged = (next: RunView) =>
    void navigate({
      to: "/p/$slug/runs/$runId",
      params: { slug, runId },
      search: definedOnly(next),
      replace: true,
      resetScroll: false,
    });
  return (
    <RunPage
      project={project}
      runId={runId}
      view={view}
      onViewChanged={onViewChanged}
      results={(part) => (
        <ResultsTab
          part={part}
          slug={slug}
          runId={runId}
          against={view.against}
          onAgainstChanged={(against) => onViewChanged({ ...view, against, variant: undefined })}
          variant={view.variant}
          onVariantChanged={(variant) => onViewChanged({ ...view, variant })}
          onOutputOpened={(output) => onViewChanged({ ...view, output })}
        />
      )}
      onRunOpened={(opened) =>
        void navigate({ to: "/p/$slug/runs/$runId", params: { slug, runId: opened } })
      }
      onLeft={() => void navigate({ to: "/p/$slug/runs", params: { slug } })}
    />
  );
}
