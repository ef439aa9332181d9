import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { OptimizationSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { OPTIMIZATION } from "./queries";

export interface CancelDialogProps {
  slug: string;
  row: OptimizationSummary;
  onClosed: () => void;
}

export function CancelDialog({ slug, row, onClosed }: CancelDialogProps) {
  const { t } = useTranslation();
  const cancel = useChange(
    "post",
    `${OPTIMIZATION}/cancel`,
    { project: slug, optimization_id: row.id },
    { also: [keys.runs(slug)] },
  );
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("optimizations.cancel.title", { name: row.name })}
      description={t("optimizations.cancel.body")}
      confirmLabel={t("optimizations.cancel.action")}
      cancelLabel={t("optimizations.cancel.keep")}
      loading={cancel.isPending}
      error={cancel.isError ? problemMessage(cancel.error) : null}
      onConfirmed={() => cancel.mutate(undefined, { onSuccess: onClosed })}
    />
  );
}
