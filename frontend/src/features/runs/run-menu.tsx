import {
  Ban,
  CirclePause,
  CirclePlay,
  CopyPlus,
  Pencil,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { isOver } from "@/api/runs";
import type { Run, RunState } from "@/api/types";
import { CommandMenu } from "@/components/ui/command-menu";

export type RunCommand = "pause" | "resume" | "cancel" | "again" | "rename" | "delete";

const ICONS: Record<RunCommand, LucideIcon> = {
  pause: CirclePause,
  resume: CirclePlay,
  cancel: Ban,
  again: CopyPlus,
  rename: Pencil,
  delete: Trash2,
};

/** What a list offers; the server has the last word. */
export function commandsFor(state: RunState): RunCommand[] {
  if (state === "paused") {
    return ["resume", "cancel", "rename"];
  }
  if (!isOver(state)) {
    return state === "aggregating" ? ["cancel", "rename"] : ["pause", "cancel", "rename"];
  }
  return state === "failed"
    ? ["resume", "again", "rename", "delete"]
    : ["again", "rename", "delete"];
}

export interface RunMenuProps {
  run: Run;
  onCommand: (command: RunCommand) => void;
}

export function RunMenu({ run, onCommand }: RunMenuProps) {
  const { t } = useTranslation();
  return (
    <CommandMenu
      label={t("runs.menu", { name: run.name })}
      commands={commandsFor(run.state).map((command) => ({
        icon: ICONS[command],
        label: t(`runs.actions.${command}`),
        isDanger: command === "delete",
        onChosen: () => onCommand(command),
      }))}
    />
  );
}
