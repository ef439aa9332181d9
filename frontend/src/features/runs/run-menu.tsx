import {
  Ban,
  CirclePause,
  CirclePlay,
  CopyPlus,
  Ellipsis,
  Pencil,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { isOver } from "@/api/runs";
import type { Run, RunState } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";

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
  const commands = commandsFor(run.state);
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="sm" iconOnly aria-label={t("runs.menu", { name: run.name })}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {commands.map((command) => {
        const Icon = ICONS[command];
        const isLast = command === "delete";
        return (
          <div key={command} role="none">
            {isLast ? <MenuSeparator /> : null}
            <MenuItem
              {...(isLast ? { tone: "danger" as const } : {})}
              onSelect={() => onCommand(command)}
            >
              <Icon aria-hidden />
              {t(`runs.actions.${command}`)}
            </MenuItem>
          </div>
        );
      })}
    </Menu>
  );
}
