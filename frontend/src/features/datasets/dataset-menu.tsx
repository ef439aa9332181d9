import { Archive, ArchiveRestore, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { DatasetSummary } from "@/api/types";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toast";
import { DatasetDialog } from "./dataset-dialog";
import { useChangeDataset, useDeleteDataset } from "./queries";

export interface DatasetMenuProps {
  slug: string;
  dataset: DatasetSummary;
  onDeleted: () => void;
  size?: "sm" | "md";
  /** Further entries, in front of these. */
  children?: ReactNode;
}

/** What can be done with a dataset as a whole. */
export function DatasetMenu(props: DatasetMenuProps) {
  const { slug, dataset, onDeleted, size = "sm", children } = props;
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
      <Menu
        trigger={
          <Button
            variant={size === "sm" ? "ghost" : "secondary"}
            size={size}
            iconOnly
            aria-label={t("datasets.actionsFor", { name: dataset.name })}
          >
            <MoreHorizontal aria-hidden />
          </Button>
        }
      >
        {children}
        <MenuItem onSelect={() => setOpen("edit")}>
          <Pencil aria-hidden />
          {t("datasets.edit")}
        </MenuItem>
        <MenuItem onSelect={archive}>
          {isArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          {t(isArchived ? "datasets.unarchive" : "datasets.archive")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          tone="danger"
          onSelect={() => {
            remove.reset();
            setOpen("delete");
          }}
        >
          <Trash2 aria-hidden />
          {t("datasets.delete.action")}
        </MenuItem>
      </Menu>
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
