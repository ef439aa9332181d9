import { useNavigate, useParams } from "@tanstack/react-router";
import { EditAbTestPage, NewAbTestPage } from "@/features/ab-tests/form/ab-test-form-pages";
import { useProject } from "../project-context";

function useOpenTest() {
  const navigate = useNavigate();
  const { slug } = useProject();
  return (testId: string) =>
    void navigate({ to: "/p/$slug/ab-tests/$testId", params: { slug, testId } });
}

export function NewAbTestRoute() {
  return <NewAbTestPage project={useProject()} onSaved={useOpenTest()} />;
}

export function EditAbTestRoute() {
  const { testId } = useParams({ from: "/signed-in/p/$slug/ab-tests/$testId/edit" });
  return <EditAbTestPage project={useProject()} testId={testId} onSaved={useOpenTest()} />;
}
