import { Copy, Download, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Dataset, Project } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { can } from "@/lib/permissions";
import type { DatasetAddress } from "./case-queries";
import { DatasetMenu } from "./dataset-menu";
import type { DatasetOverlay } from "./overlay";
import { useUndoToast } from "./use-bulk";

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
    <Menu
      trigger={
        <Button variant="secondary">
          <Download aria-hidden />
          {t("datasets.export.action")}
        </Button>
      }
    >
      {FORMATS.map((format) => (
        <MenuItem key={format} asChild>
          <a href={`${address}?format=${format}`} download>
            {t(`datasets.export.${format}`)}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** What can be done with the dataset, its last change and its copies. */
export function DatasetActions(props: DatasetActionsProps) {
  const { project, at, dataset, editable, onOverlayChanged, onDeleted } = props;
  const { t } = useTranslation();
  const undo = useUndoToast(at);
  const last = dataset.last_change;
  if (!can(project.role, "datasets.edit")) {
    return null;
  }
  return (
    <DatasetMenu slug={at.slug} dataset={dataset} onDeleted={onDeleted} size="md">
      {editable ? (
        <>
          {last === null ? null : (
            <MenuItem onSelect={() => undo(last)}>
              <Undo2 aria-hidden />
              {t(`datasets.undo.${last.action}`, { count: last.count })}
            </MenuItem>
          )}
          <MenuItem onSelect={() => onOverlayChanged({ duplicates: true })}>
            <Copy aria-hidden />
            {t("datasets.duplicates.action")}
          </MenuItem>
          <MenuSeparator />
        </>
      ) : null}
    </DatasetMenu>
  );
}
