import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { EditMonitorPage, NewMonitorPage } from "@/features/monitors/form/monitor-form-pages";
import { useProject } from "../project-context";

function useOpenMonitor() {
  const navigate = useNavigate();
  const { slug } = useProject();
  return (monitorId: string) =>
    void navigate({ to: "/p/$slug/monitors/$monitorId", params: { slug, monitorId } });
}

export function NewMonitorRoute() {
  const source = useSearch({ from: "/signed-in/p/$slug/monitors/new" });
  return <NewMonitorPage project={useProject()} source={source} onSaved={useOpenMonitor()} />;
}

export function EditMonitorRoute() {
  const { monitorId } = useParams({ from: "/signed-in/p/$slug/monitors/$monitorId/edit" });
  return (
    <EditMonitorPage project={useProject()} monitorId={monitorId} onSaved={useOpenMonitor()} />
  );
}
