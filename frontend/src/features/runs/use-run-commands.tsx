import { Ban, CirclePause, CirclePlay, CopyPlus, Pin, PinOff, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { isFinished, useActOnRun, useKeepRun } from "@/api/runs";
import type { Run, RunState } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { CancelRunDialog, RunAgainDialog } from "./run-dialogs";

export type RunCommand =
  "pause" | "resume" | "cancel" | "again" | "rename" | "keep" | "archive" | "delete";

/** Commands that change the run without a dialog of its own. */
type ChangeCommand = "rename" | "keep" | "archive" | "delete";

const ICONS: Record<Exclude<RunCommand, ChangeCommand>, LucideIcon> = {
  pause: CirclePause,
  resume: CirclePlay,
  cancel: Ban,
  again: CopyPlus,
};

export const CHANGES = ["rename", "keep", "archive", "delete"] as const;

/** Commands in a list; the server enforces them. */
export function commandsFor(state: RunState): RunCommand[] {
  if (state === "paused") {
    return ["resume", "cancel", "rename"];
  }
  if (!isFinished(state)) {
    return state === "aggregating" ? ["cancel", "rename"] : ["pause", "cancel", "rename"];
  }
  return state === "failed" ? ["resume", "again", ...CHANGES] : ["again", ...CHANGES];
}

/** Rename, keep, archive and delete commands of a run. */
export function useRunChanges(slug: string, onDeleted?: () => void) {
  const { t } = useTranslation();
  const keep = useKeepRun(slug);
  const changes = useResourceCommands<Run>(slug, "/projects/{project}/runs/{run_id}", {
    refresh: [keys.runs(slug)],
    consequence: (run) => t("runs.delete.body", { count: run.done_count }),
    onDeleted,
  });
  const keepCommand = ({ id, name, is_kept }: Run): Command => ({
    icon: is_kept ? PinOff : Pin,
    label: t(is_kept ? "runs.keep.end" : "runs.keep.action"),
    onChosen: () =>
      keep.mutate(
        { runId: id, isKept: !is_kept },
        {
          onSuccess: () =>
            toast.success(t(is_kept ? "runs.keep.ended" : "runs.keep.done", { name })),
          onError: (error) => toast.error(problemMessage(error)),
        },
      ),
  });
  return {
    commandOf: (name: ChangeCommand, run: Run) =>
      name === "keep" ? keepCommand(run) : changes.commandOf(name, run),
    dialog: changes.dialog,
  };
}

function isChange(name: RunCommand): name is ChangeCommand {
  return CHANGES.some((each) => each === name);
}

/** Commands of a run in a list, and the open dialog. */
export function useRunCommands(slug: string, onRunOpened: (runId: string) => void) {
  const { t } = useTranslation();
  const act = useActOnRun(slug);
  const changes = useRunChanges(slug);
  const [asked, setAsked] = useState<{ question: "cancel" | "again"; run: Run } | null>(null);
  const commandOf = (name: RunCommand, run: Run): Command => {
    if (isChange(name)) {
      return changes.commandOf(name, run);
    }
    return {
      icon: ICONS[name],
      label: t(`runs.actions.${name}`),
      onChosen: () =>
        name === "cancel" || name === "again"
          ? setAsked({ question: name, run })
          : act.mutate(
              { runId: run.id, action: name },
              { onError: (error) => toast.error(problemMessage(error)) },
            ),
    };
  };
  let dialog: ReactNode = changes.dialog;
  if (asked !== null) {
    const props = { slug, run: asked.run, onClosed: () => setAsked(null) };
    dialog =
      asked.question === "cancel" ? (
        <CancelRunDialog {...props} />
      ) : (
        <RunAgainDialog {...props} onRunOpened={onRunOpened} />
      );
  }
  return {
    commandsOf: (run: Run) => commandsFor(run.state).map((name) => commandOf(name, run)),
    dialog,
  };
}
