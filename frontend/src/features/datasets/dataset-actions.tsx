import { Copy, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Dataset, Project } from "@/api/types";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { DownloadMenu } from "@/components/ui/download-menu";
import { can } from "@/lib/permissions";
import type { DatasetAddress } from "@/api/case-imports";
import type { DatasetOverlay } from "./overlay";
import { useUndoToast } from "./use-bulk";
import { useDatasetCommands } from "./use-dataset-commands";

const FORMATS = ["csv", "jsonl"] as const;

export interface DatasetActionsProps {
  project: Project;
  at: DatasetAddress;
  dataset: Dataset;
  editable: boolean;
  onOverlayChanged: (overlay: DatasetOverlay) => void;
  onDeleted: () => void;
}

export function ExportMenu({ at }: { at: DatasetAddress }) {
  const { t } = useTranslation();
  const address = `/api/v1/projects/${encodeURIComponent(at.slug)}/datasets/${at.datasetId}/export`;
  return (
    <DownloadMenu
      label={t("datasets.export.action")}
      files={FORMATS.map((format) => ({
        label: t(`datasets.export.${format}`),
        address: `${address}?format=${format}`,
      }))}
    />
  );
}

/** Actions of a dataset: commands, undo of the last change, duplicates. */
export function DatasetActions(props: DatasetActionsProps) {
  const { project, at, dataset, editable, onOverlayChanged, onDeleted } = props;
  const { t } = useTranslation();
  const undo = useUndoToast(at);
  const { commandsOf, dialog } = useDatasetCommands(at.slug, onDeleted);
  const last = dataset.last_change;
  if (!can(project.role, "datasets.edit")) {
    return null;
  }
  const further: Command[] = [];
  if (editable && last !== null) {
    further.push({
      icon: Undo2,
      label: t(`datasets.undo.${last.action}`, { count: last.count }),
      onChosen: () => undo(last),
    });
  }
  if (editable) {
    further.push({
      icon: Copy,
      label: t("datasets.duplicates.action"),
      onChosen: () => onOverlayChanged({ duplicates: true }),
    });
  }
  return (
    <>
      <CommandMenu
        label={t("lists.menu", { name: dataset.name })}
        place="head"
        commands={[...further, ...commandsOf(dataset)]}
      />
      {dialog}
    </>
  );
}
