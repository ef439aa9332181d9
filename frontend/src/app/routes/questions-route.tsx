import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { JudgedPage } from "@/features/arena/questions/judged-page";
import { QuestionsPage } from "@/features/arena/questions/questions-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function QuestionsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { slug } = project;
  const filters = useSearch({ from: "/signed-in/p/$slug/arena/questions" });
  return (
    <QuestionsPage
      project={project}
      filters={filters}
      onFiltersChanged={({ q }) =>
        void navigate({
          to: "/p/$slug/arena/questions",
          params: { slug },
          search: definedOnly({ q }),
          replace: true,
        })
      }
      onOpened={(runId) =>
        void navigate({ to: "/p/$slug/arena/questions/$runId", params: { slug, runId } })
      }
    />
  );
}

export function JudgedRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { slug } = project;
  const { runId } = useParams({ from: "/signed-in/p/$slug/arena/questions/$runId" });
  const view = useSearch({ from: "/signed-in/p/$slug/arena/questions/$runId" });
  return (
    <JudgedPage
      key={runId}
      project={project}
      runId={runId}
      view={view}
      onViewChanged={(next) =>
        void navigate({
          to: "/p/$slug/arena/questions/$runId",
          params: { slug, runId },
          search: definedOnly(next),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
