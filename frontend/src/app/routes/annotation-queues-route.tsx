import { useNavigate, useSearch } from "@tanstack/react-router";
import { QueuesPage } from "@/features/annotation/queues-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function QueuesRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const view = useSearch({ from: "/signed-in/p/$slug/annotation" });
  const params = { slug: project.slug };
  return (
    <QueuesPage
      project={project}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/annotation",
          params,
          search: definedOnly(next),
          replace: true,
        })
      }
      onQueueOpened={(queueId) =>
        void navigate({ to: "/p/$slug/annotation/$queueId", params: { ...params, queueId } })
      }
      onResultsOpened={(queueId) =>
        void navigate({
          to: "/p/$slug/annotation/$queueId/results",
          params: { ...params, queueId },
        })
      }
    />
  );
}
