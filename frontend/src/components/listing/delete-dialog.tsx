import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "@/components/ui/alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { Resource } from "./resource";
import type { useResourceChanges } from "./use-resource-changes";

export interface DeleteDialogProps {
  resource: Resource;
  remove: ReturnType<typeof useResourceChanges>["remove"];
  /** Explains what is deleted along and what is kept. */
  consequence: ReactNode;
  /** Requires typing the name. */
  typed?: boolean;
  onClosed: () => void;
  onDeleted?: (() => void) | undefined;
}

/**
 * Confirms the permanent deletion of a resource; lists what still uses it when deletion is refused.
 */
export function DeleteDialog(props: DeleteDialogProps) {
  const { resource, remove, consequence, typed = false, onClosed, onDeleted } = props;
  const { t } = useTranslation();
  const { name } = resource;
  const inUse = remove.isError && asProblem(remove.error).code === "IN_USE";
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("lists.deleteTitle", { name })}
      description={
        inUse ? (
          <Alert tone="warning" title={t("lists.inUse")}>
            {problemMessage(remove.error)}
          </Alert>
        ) : (
          consequence
        )
      }
      {...(typed ? { typed: name } : {})}
      confirmLabel={t("lists.delete")}
      loading={remove.isPending}
      error={remove.isError && !inUse ? problemMessage(remove.error) : null}
      onConfirmed={() =>
        remove.mutate(resource.id, {
          onSuccess: () => {
            toast.success(t("lists.deleted", { name }));
            onClosed();
            onDeleted?.();
          },
        })
      }
    />
  );
}
