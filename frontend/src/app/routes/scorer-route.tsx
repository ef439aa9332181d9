import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { NewScorerPage, ScorerPage } from "@/features/scorers/scorer-page";
import { useProject } from "../project-context";

function useScorerNavigation() {
  const navigate = useNavigate();
  const project = useProject();
  const params = { slug: project.slug };
  return {
    project,
    onOpened: ({ id }: { id: string }) =>
      void navigate({ to: "/p/$slug/scorers/$scorerId", params: { ...params, scorerId: id } }),
    onLeft: () => void navigate({ to: "/p/$slug/scorers", params }),
  };
}

export function ScorerRoute() {
  const navigate = useNavigate();
  const navigation = useScorerNavigation();
  const { slug, scorerId } = useParams({ from: "/signed-in/p/$slug/scorers/$scorerId" });
  const { history } = useSearch({ from: "/signed-in/p/$slug/scorers/$scorerId" });
  return (
    <ScorerPage
      {...navigation}
      scorerId={scorerId}
      isHistoryOpen={history === true}
      onHistoryChanged={(open) =>
        void navigate({
          to: "/p/$slug/scorers/$scorerId",
          params: { slug, scorerId },
          search: open ? { history: true } : {},
          replace: true,
        })
      }
    />
  );
}

export function NewScorerRoute() {
  const navigate = useNavigate();
  const navigation = useScorerNavigation();
  const { kind, rubric } = useSearch({ from: "/signed-in/p/$slug/scorers/new" });
  return (
    <NewScorerPage
      {...navigation}
      kind={kind}
      rubricVersionId={rubric}
      onKindChosen={(chosen) =>
        void navigate({
          to: "/p/$slug/scorers/new",
          params: { slug: navigation.project.slug },
          search: { kind: chosen },
        })
      }
    />
  );
}
