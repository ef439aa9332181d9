import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "@/components/ui/alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { Remove, Resource } from "./resource";

export interface DeleteDialogProps {
  resource: Resource;
  remove: Remove;
  /** What goes with it, and what stays. */
  consequence: ReactNode;
  /** Its name has to be typed, because much would be lost. */
  typed?: boolean;
  onClosed: () => void;
  onDeleted?: (() => void) | undefined;
}

/** Asks before a resource is gone for good; says what still uses it if it has to stay. */
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
