import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { AbTestPage } from "@/features/ab-tests/ab-test-page";
import { AbTestsPage } from "@/features/ab-tests/ab-tests-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

function useAbTestNavigation(slug: string) {
  const navigate = useNavigate();
  return {
    onOpened: (testId: string) =>
      void navigate({ to: "/p/$slug/ab-tests/$testId", params: { slug, testId } }),
    onLeft: () => void navigate({ to: "/p/$slug/ab-tests", params: { slug } }),
  };
}

export function AbTestsRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const filters = useSearch({ from: "/signed-in/p/$slug/ab-tests" });
  const { onOpened } = useAbTestNavigation(project.slug);
  return (
    <AbTestsPage
      project={project}
      filters={filters}
      onFiltersChanged={(next) =>
        void navigate({
          to: "/p/$slug/ab-tests",
          params: { slug: project.slug },
          search: definedOnly(next),
          replace: true,
        })
      }
      onOpened={onOpened}
    />
  );
}

export function AbTestRoute() {
  const project = useProject();
  const { testId } = useParams({ from: "/signed-in/p/$slug/ab-tests/$testId" });
  return (
    <AbTestPage
      key={testId}
      project={project}
      testId={testId}
      {...useAbTestNavigation(project.slug)}
    />
  );
}
