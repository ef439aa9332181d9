import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { AlertBanner } from "@/features/alerts/alert-banner";
import { MonitorPage } from "@/features/monitors/monitor-page";
import { definedOnly } from "@/lib/search";
import { useProject } from "../project-context";

export function MonitorRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { monitorId } = useParams({ from: "/signed-in/p/$slug/monitors/$monitorId" });
  const view = useSearch({ from: "/signed-in/p/$slug/monitors/$monitorId" });
  const { slug } = project;
  const to = "/p/$slug/monitors/$monitorId";
  return (
    <MonitorPage
      key={monitorId}
      project={project}
      monitorId={monitorId}
      view={view}
      alerts={<AlertBanner project={project} monitorId={monitorId} />}
      onViewChanged={(next) =>
        void navigate({
          to,
          params: { slug, monitorId },
          search: definedOnly(next),
          replace: true,
          resetScroll: false,
        })
      }
      onOpened={(opened) => void navigate({ to, params: { slug, monitorId: opened } })}
      onLeft={() => void navigate({ to: "/p/$slug/monitors", params: { slug } })}
    />
  );
}
