import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { NewRubricPage, RubricPage } from "@/features/scorers/rubric-page";
import { useProject } from "../project-context";

function useRubricNavigation() {
  const navigate = useNavigate();
  const project = useProject();
  const params = { slug: project.slug };
  return {
    project,
    onOpened: ({ id }: { id: string }) =>
      void navigate({
        to: "/p/$slug/scorers/rubrics/$rubricId",
        params: { ...params, rubricId: id },
      }),
    onLeft: () => void navigate({ to: "/p/$slug/scorers/rubrics", params }),
  };
}

export function RubricRoute() {
  const navigate = useNavigate();
  const navigation = useRubricNavigation();
  const { slug, rubricId } = useParams({ from: "/signed-in/p/$slug/scorers/rubrics/$rubricId" });
  const { history } = useSearch({ from: "/signed-in/p/$slug/scorers/rubrics/$rubricId" });
  return (
    <RubricPage
      {...navigation}
      rubricId={rubricId}
      isHistoryOpen={history === true}
      onHistoryChanged={(open) =>
        void navigate({
          to: "/p/$slug/scorers/rubrics/$rubricId",
          params: { slug, rubricId },
          search: open ? { history: true } : {},
          replace: true,
        })
      }
    />
  );
}

export function NewRubricRoute() {
  return <NewRubricPage {...useRubricNavigation()} />;
}
