import { FileText, GitCompareArrows, Settings2, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { useResourceCommands } from "@/components/listing/use-resource-commands";
import type { Command } from "@/components/ui/command-menu";
import { CompareWithDialog } from "./experiment-dialogs";
import { isInProgress } from "./experiment-state";
import { EXPERIMENT } from "./queries";

/** Navigation after commands. */
export interface ExperimentEvents {
  onSetupOpened: (experimentId: string) => void;
  onReportOpened: (experimentId: string) => void;
  onCompared: (experimentId: string, otherId: string) => void;
}

const ICONS = {
  setup: Settings2,
  report: FileText,
  compare: GitCompareArrows,
} satisfies Record<string, LucideIcon>;

export type ExperimentCommand =
  keyof typeof ICONS | "rename" | "duplicate" | "archive" | "unarchive" | "delete";

type Shown = Pick<ExperimentSummary, "state" | "archived_at" | "iteration_count">;

/**
 * Commands in the menu; the server enforces permissions. Read-only commands are available to all
 * roles.
 */
export function commandsFor(experiment: Shown, editable: boolean): ExperimentCommand[] {
  const { state, archived_at: archivedAt, iteration_count: iterations } = experiment;
  const looking: ExperimentCommand[] = iterations > 0 ? ["report", "compare"] : [];
  if (!editable) {
    return looking;
  }
  if (archivedAt !== null) {
    return [...looking, "duplicate", "unarchive", "delete"];
  }
  const draft: ExperimentCommand[] = state === "draft" ? ["setup"] : [];
  const leaving: ExperimentCommand[] = isInProgress(state) ? [] : ["archive", "delete"];
  return [...draft, ...looking, "rename", "duplicate", ...leaving];
}

/** Menu commands of an experiment, and the open dialog. */
export function useExperimentCommands(
  slug: string,
  events: ExperimentEvents,
  onDeleted?: () => void,
) {
  const { t } = useTranslation();
  const [compared, setCompared] = useState<ExperimentSummary | null>(null);
  const { commandOf, dialog } = useResourceCommands<ExperimentSummary>(slug, EXPERIMENT, {
    onDuplicated: (copy) => events.onSetupOpened(copy.id),
    // Requires typing the name once there are iterations.
    isTyped: ({ iteration_count }) => iteration_count > 0,
    consequence: ({ iteration_count: count }) =>
      count === 0 ? t("experiments.delete.draft") : t("experiments.delete.body", { count }),
    onDeleted,
  });
  const open: Record<keyof typeof ICONS, (experiment: ExperimentSummary) => void> = {
    setup: ({ id }) => events.onSetupOpened(id),
    report: ({ id }) => events.onReportOpened(id),
    compare: setCompared,
  };
  const build = (name: ExperimentCommand, experiment: ExperimentSummary): Command => {
    switch (name) {
      case "setup":
      case "report":
      case "compare":
        return {
          icon: ICONS[name],
          label: t(`experiments.actions.${name}`),
          onChosen: () => open[name](experiment),
        };
      case "unarchive":
        return commandOf("archive", experiment);
      default:
        return commandOf(name, experiment);
    }
  };
  return {
    commandsOf: (experiment: ExperimentSummary, editable: boolean) =>
      commandsFor(experiment, editable).map((name) => build(name, experiment)),
    dialog:
      compared === null ? (
        dialog
      ) : (
        <CompareWithDialog
          slug={slug}
          experiment={compared}
          onClosed={() => setCompared(null)}
          onChosen={(otherId) => events.onCompared(compared.id, otherId)}
        />
      ),
  };
}
