import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { DatasetToolsContext } from "@/features/experiment-wizard/data/dataset-tools";
import { SetupPage } from "@/features/experiment-wizard/setup-page";
import { datasetTools } from "../dataset-tools";
import { useProject } from "../project-context";

const FROM = "/signed-in/p/$slug/experiments/$experimentId/setup";

export function ExperimentSetupRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { experimentId } = useParams({ from: FROM });
  const { step } = useSearch({ from: FROM });
  const params = { slug: project.slug, experimentId };
  return (
    <DatasetToolsContext value={datasetTools}>
      <SetupPage
        project={project}
        experimentId={experimentId}
        step={step}
        onStepChanged={(next) =>
          void navigate({
            to: "/p/$slug/experiments/$experimentId/setup",
            params,
            search: { step: next },
          })
        }
        onCreated={() => void navigate({ to: "/p/$slug/experiments/$experimentId", params })}
        onStarted={(iterationId) =>
          void navigate({
            to: "/p/$slug/experiments/$experimentId/iterations/$iterationId",
            params: { ...params, iterationId },
          })
        }
      />
    </DatasetToolsContext>
  );
}
