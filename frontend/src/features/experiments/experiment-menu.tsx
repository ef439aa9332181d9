import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  FileText,
  GitCompareArrows,
  Pencil,
  Settings2,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { CommandMenu } from "@/components/ui/command-menu";
import { isUnderWay } from "./experiment-state";

export type ExperimentCommand =
  "setup" | "report" | "compare" | "rename" | "duplicate" | "archive" | "unarchive" | "delete";

const ICONS: Record<ExperimentCommand, LucideIcon> = {
  setup: Settings2,
  report: FileText,
  compare: GitCompareArrows,
  rename: Pencil,
  duplicate: CopyPlus,
  archive: Archive,
  unarchive: ArchiveRestore,
  delete: Trash2,
};

type Shown = Pick<ExperimentSummary, "state" | "archived_at" | "iteration_count">;

/** What a menu offers; the server has the last word. Looking is for everybody. */
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
  const leaving: ExperimentCommand[] = isUnderWay(state) ? [] : ["archive", "delete"];
  return [...draft, ...looking, "rename", "duplicate", ...leaving];
}

export interface ExperimentMenuProps {
  experiment: ExperimentSummary;
  editable: boolean;
  onCommand: (command: ExperimentCommand) => void;
}

export function ExperimentMenu({ experiment, editable, onCommand }: ExperimentMenuProps) {
  const { t } = useTranslation();
  return (
    <CommandMenu
      label={t("experiments.menu", { name: experiment.name })}
      commands={commandsFor(experiment, editable).map((command) => ({
        icon: ICONS[command],
        label: t(`experiments.actions.${command}`),
        isDanger: command === "delete",
        onChosen: () => onCommand(command),
      }))}
    />
  );
}
