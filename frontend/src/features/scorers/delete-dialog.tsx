import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "@/components/ui/alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { Saved } from "./saved-menu";

export interface DeleteDialogProps {
  saved: Saved;
  /** What becomes of those who used it. */
  consequence: string;
  remove: UseMutationResult<unknown, Error, string>;
  onClosed: () => void;
  onDeleted?: (() => void) | undefined;
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { saved, consequence, remove, onClosed, onDeleted } = props;
  const { t } = useTranslation();
  const inUse = remove.isError && asProblem(remove.error).code === "IN_USE";
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("scorers.delete.title", { name: saved.name })}
      description={
        inUse ? (
          <Alert tone="warning" title={t("scorers.delete.inUse")}>
            {problemMessage(remove.error)}
          </Alert>
        ) : (
          consequence
        )
      }
      confirmLabel={t("scorers.menu.delete")}
      loading={remove.isPending}
      error={remove.isError && !inUse ? problemMessage(remove.error) : null}
      onConfirmed={() =>
        remove.mutate(saved.id, {
          onSuccess: () => {
            toast.success(t("scorers.delete.done", { name: saved.name }));
            onClosed();
            onDeleted?.();
          },
        })
      }
    />
  );
}
