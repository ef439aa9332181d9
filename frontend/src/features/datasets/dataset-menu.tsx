import { Archive, ArchiveRestore, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { DatasetSummary } from "@/api/types";
import { CommandMenu, type Command, type CommandMenuProps } from "@/components/ui/command-menu";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { DatasetDialog } from "./dataset-dialog";
import { useChangeDataset, useDeleteDataset } from "./queries";

export interface DatasetMenuProps {
  slug: string;
  dataset: DatasetSummary;
  onDeleted: () => void;
  place?: CommandMenuProps["place"];
  /** Further commands, in front of these. */
  further?: readonly Command[];
}

/** What can be done with a dataset as a whole. */
export function DatasetMenu(props: DatasetMenuProps) {
  const { slug, dataset, onDeleted, place = "row", further = [] } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const change = useChangeDataset(slug);
  const remove = useDeleteDataset(slug);
  const isArchived = dataset.archived_at !== null;
  const archive = () =>
    change.mutate(
      { datasetId: dataset.id, change: { is_archived: !isArchived } },
      {
        onSuccess: () =>
          toast.success(
            t(isArchived ? "datasets.unarchived" : "datasets.archived", { name: dataset.name }),
          ),
        onError: (error) => toast.error(problemMessage(error)),
      },
    );
  return (
    <>
      <CommandMenu
        label={t("datasets.actionsFor", { name: dataset.name })}
        place={place}
        commands={[
          ...further,
          { icon: Pencil, label: t("datasets.edit"), onChosen: () => setOpen("edit") },
          {
            icon: isArchived ? ArchiveRestore : Archive,
            label: t(isArchived ? "datasets.unarchive" : "datasets.archive"),
            onChosen: archive,
          },
          {
            icon: Trash2,
            label: t("datasets.delete.action"),
            isDanger: true,
            onChosen: () => {
              remove.reset();
              setOpen("delete");
            },
          },
        ]}
      />
      {open === "edit" ? (
        <DatasetDialog
          slug={slug}
          dataset={dataset}
          onSaved={() => setOpen(null)}
          onClosed={() => setOpen(null)}
        />
      ) : null}
      <ConfirmDialog
        open={open === "delete"}
        onOpenChanged={() => setOpen(null)}
        title={t("datasets.delete.title", { name: dataset.name })}
        description={t("datasets.delete.body", { count: dataset.case_count })}
        confirmLabel={t("datasets.delete.action")}
        typed={dataset.name}
        loading={remove.isPending}
        error={remove.error === null ? null : problemMessage(remove.error)}
        onConfirmed={() =>
          remove.mutate(dataset.id, {
            onSuccess: () => {
              toast.success(t("datasets.deleted", { name: dataset.name }));
              setOpen(null);
              onDeleted();
            },
          })
        }
      />
    </>
  );
}
