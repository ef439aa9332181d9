import { useQuery } from "@tanstack/react-query";
import { CirclePause, CirclePlay, Play } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CommandMenu } from "@/components/ui/command-menu";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { CheckDrawer } from "./check-drawer";
import { ChecksTab } from "./checks-tab";
import { CostsTab } from "./costs-tab";
import { ModelsTab } from "./models-tab";
import { MonitorBadge, MutedBadge } from "./monitor-badges";
import { PromptWords } from "./monitor-columns";
import { MonitorFigures } from "./monitor-figures";
import type { MonitorView, TrendDays } from "./monitor-view";
import { monitorQuery, type MonitorAddress } from "./queries";
import { SettingsTab } from "./settings-tab";
import { TrendTab } from "./trend-tab";
import { actionsFor, useActOnMonitor, useMonitorCommands } from "./use-monitor-commands";

export interface MonitorPageProps {
  project: Project;
  monitorId: string;
  view: MonitorView;
  onViewChanged: (view: MonitorView) => void;
  /** Open alerts of the monitor. */
  alerts: ReactNode;
  onOpened: (monitorId: string) => void;
  onLeft: () => void;
}

interface LoadedProps extends MonitorPageProps {
  at: MonitorAddress;
  monitor: Monitor;
  editable: boolean;
}

const ICONS = { run: Play, pause: CirclePause, resume: CirclePlay } as const;

function Header({ project, monitor, editable, onOpened, onLeft }: LoadedProps) {
  const { t } = useTranslation();
  const { act, pending } = useActOnMonitor(project.slug);
  const { commandsOf, dialog } = useMonitorCommands(project.slug, { onOpened, onDeleted: onLeft });
  return (
    <>
      <PageHeader
        title={monitor.name}
        badges={
          <>
            <MonitorBadge monitor={monitor} />
            <MutedBadge until={monitor.muted_until} />
            {monitor.archived_at === null ? null : <ArchivedBadge />}
          </>
        }
        description={
          <>
            <PromptWords prompt={monitor.prompt} /> · {monitor.models.join(", ")} ·{" "}
            {monitor.schedule}
          </>
        }
        actions={
          editable ? (
            <>
              {actionsFor(monitor).map((action) => {
                const Icon = ICONS[action];
                return (
                  <Button
                    key={action}
                    variant={action === "pause" ? "secondary" : "primary"}
                    loading={pending === action}
                    onClick={() => act(monitor, action)}
                  >
                    <Icon aria-hidden />
                    {t(`monitors.actions.${action}`)}
                  </Button>
                );
              })}
              <CommandMenu
                place="head"
                label={t("lists.menu", { name: monitor.name })}
                commands={commandsOf(monitor, "page")}
              />
            </>
          ) : null
        }
      />
      {dialog}
    </>
  );
}

/** Why the monitor does not check by itself. */
function PauseNotice({ monitor: { state, pause } }: { monitor: Monitor }) {
  const { t } = useTranslation();
  if (state !== "paused" || pause === null) {
    return null;
  }
  return (
    <Alert tone={pause.reason === "person" ? "info" : "warning"} live={false}>
      {pause.message ?? t("monitors.pauseNotice")}
      {pause.resume_at === null ? null : <> {t("monitors.resumesAtMidnight")}</>}
    </Alert>
  );
}

function LoadedMonitor(props: LoadedProps) {
  const { project, at, monitor, view, onViewChanged, editable } = props;
  const { t } = useTranslation();
  useDocumentTitle(monitor.name, project.name);
  const shared = { at, monitor, editable };
  const period = {
    days: view.days ?? "30",
    onDaysChanged: (days: TrendDays) => onViewChanged({ ...view, days }),
  };
  const onCheckOpened = (check: string) => onViewChanged({ ...view, check });
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/monitors" slug={project.slug}>
        {t("monitors.all")}
      </BackLink>
      <Header {...props} />
      {props.alerts}
      <PauseNotice monitor={monitor} />
      <MonitorFigures monitor={monitor} onCheckOpened={onCheckOpened} />
      <Tabs
        label={t("monitors.tabs.label")}
        value={view.tab ?? "trend"}
        onValueChanged={(tab) => onViewChanged({ ...view, tab: tab === "trend" ? undefined : tab })}
        tabs={[
          {
            value: "trend",
            label: t("monitors.tabs.trend"),
            content: <TrendTab {...shared} {...period} onCheckOpened={onCheckOpened} />,
          },
          {
            value: "checks",
            label: t("monitors.tabs.checks"),
            content: (
              <ChecksTab
                {...shared}
                state={view.state}
                onStateChanged={(state) => onViewChanged({ ...view, state })}
                onCheckOpened={onCheckOpened}
              />
            ),
          },
          {
            value: "models",
            label: t("monitors.tabs.models"),
            content: <ModelsTab {...shared} />,
          },
          {
            value: "costs",
            label: t("monitors.tabs.costs"),
            content: <CostsTab {...shared} {...period} />,
          },
          {
            value: "settings",
            label: t("monitors.tabs.settings"),
            content: <SettingsTab {...shared} />,
          },
        ]}
      />
      {view.check === undefined ? null : (
        <CheckDrawer
          {...shared}
          checkId={view.check}
          onClosed={() => onViewChanged({ ...view, check: undefined })}
        />
      )}
    </div>
  );
}

function MonitorSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-72" />
        <Skeleton className="h-28 rounded-xl" />
        <Skeleton className="h-80 rounded-xl" />
      </div>
    </LoadingStatus>
  );
}

/** Page of a monitor: its state, trend, checks, models, costs and settings. */
export function MonitorPage(props: MonitorPageProps) {
  const { project, monitorId } = props;
  const at = { project: project.slug, monitor_id: monitorId };
  const monitor = useQuery(monitorQuery(at));
  const editable = can(project.role, "monitors.edit") && project.archived_at === null;
  if (monitor.data !== undefined) {
    return <LoadedMonitor {...props} at={at} monitor={monitor.data} editable={editable} />;
  }
  if (monitor.isPending) {
    return <MonitorSkeleton />;
  }
  return (
    <ProblemState
      isPage
      error={monitor.error}
      retrying={monitor.isFetching}
      onRetry={() => void monitor.refetch()}
    />
  );
}
