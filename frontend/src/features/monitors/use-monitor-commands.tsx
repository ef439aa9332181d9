import { BellOff, CirclePause, CirclePlay, Pencil, Play } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { MonitorSummary } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { isInProgress } from "./check-figures";
import { MuteDialog } from "./mute-dialog";
import { MONITOR } from "./queries";

export type MonitorAction = "run" | "pause" | "resume";

/** Actions that the monitor's state allows; the server enforces them. */
export function actionsFor(monitor: MonitorSummary): MonitorAction[] {
  if (monitor.archived_at !== null) {
    return [];
  }
  const isBusy = monitor.last_check !== null && isInProgress(monitor.last_check.state);
  return [...(isBusy ? [] : ["run" as const]), monitor.state === "active" ? "pause" : "resume"];
}

/** Starts a check, pauses or resumes a monitor. */
export function useActOnMonitor(slug: string) {
  const { t } = useTranslation();
  const act = useRefreshingMutation(
    [keys.monitors(slug), keys.alerts(slug), keys.audit(slug)],
    async ({ monitor, action }: { monitor: MonitorSummary; action: MonitorAction }) => {
      const at = { project: slug, monitor_id: monitor.id };
      await (action === "run"
        ? send("post", `${MONITOR}/run`, at)
        : send("post", action === "pause" ? `${MONITOR}/pause` : `${MONITOR}/resume`, at));
    },
    { onError: (error) => void toast.error(problemMessage(error)), always: true },
  );
  return {
    act: (monitor: MonitorSummary, action: MonitorAction) =>
      act.mutate(
        { monitor, action },
        { onSuccess: () => toast.success(t(`monitors.done.${action}`, { name: monitor.name })) },
      ),
    /** The action in progress. */
    pending: act.isPending ? act.variables.action : null,
  };
}

const ICONS = { run: Play, pause: CirclePause, resume: CirclePlay } as const;

export interface MonitorEvents {
  onOpened: (monitorId: string) => void;
  onDeleted?: () => void;
}

/** Menu commands of a monitor, and the open dialog. */
export function useMonitorCommands(slug: string, { onOpened, onDeleted }: MonitorEvents) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { act } = useActOnMonitor(slug);
  const [muted, setMuted] = useState<MonitorSummary | null>(null);
  const { commandOf, dialog } = useResourceCommands<MonitorSummary>(slug, MONITOR, {
    also: [keys.alerts(slug)],
    onDuplicated: ({ id }) => onOpened(id),
    isTyped: ({ check_count: count }) => count > 0,
    consequence: ({ check_count: count }) => t("monitors.delete.body", { count }),
    onDeleted,
  });
  const edit = (monitor: MonitorSummary): Command => ({
    icon: Pencil,
    label: t("monitors.actions.edit"),
    onChosen: () =>
      void navigate({
        to: "/p/$slug/monitors/$monitorId/edit",
        params: { slug, monitorId: monitor.id },
      }),
  });
  const mute = (monitor: MonitorSummary): Command => ({
    icon: BellOff,
    label: t("monitors.actions.mute"),
    onChosen: () => setMuted(monitor),
  });
  const always = (monitor: MonitorSummary) =>
    (["duplicate", "archive", "delete"] as const).map((name) => commandOf(name, monitor));
  return {
    commandsOf: (monitor: MonitorSummary, shown: "row" | "page" = "row"): Command[] =>
      monitor.archived_at === null
        ? [
            ...(shown === "page"
              ? []
              : actionsFor(monitor).map((action) => ({
                  icon: ICONS[action],
                  label: t(`monitors.actions.${action}`),
                  onChosen: () => act(monitor, action),
                }))),
            edit(monitor),
            mute(monitor),
            ...always(monitor),
          ]
        : always(monitor),
    dialog:
      muted === null ? (
        dialog
      ) : (
        <MuteDialog slug={slug} monitor={muted} onClosed={() => setMuted(null)} />
      ),
  };
}
