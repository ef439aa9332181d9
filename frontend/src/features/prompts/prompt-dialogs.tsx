import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { PromptSummary } from "@/api/types";
import { RenameDialog } from "@/components/rename-dialog";
import { Alert } from "@/components/ui/alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { useRenamePrompt } from "@/api/prompts";
import { useDeletePrompt } from "./queries";

export interface PromptDialogProps {
  slug: string;
  prompt: PromptSummary;
  onClosed: () => void;
}

export function RenamePromptDialog({ slug, prompt, onClosed }: PromptDialogProps) {
  const { t } = useTranslation();
  const rename = useRenamePrompt(slug);
  return (
    <RenameDialog
      title={t("prompts.rename.title", { name: prompt.name })}
      label={t("fields.name")}
      hint={prompt.latest === null ? undefined : t("prompts.rename.hint")}
      name={prompt.name}
      submitLabel={t("prompts.rename.action")}
      isSaving={rename.isPending}
      error={rename.error}
      onEdited={rename.reset}
      onRenamed={(name) => rename.mutate({ id: prompt.id, name }, { onSuccess: onClosed })}
      onClosed={onClosed}
    />
  );
}

export interface DeletePromptDialogProps extends PromptDialogProps {
  onDeleted?: () => void;
}

export function DeletePromptDialog(props: DeletePromptDialogProps) {
  const { slug, prompt, onClosed, onDeleted } = props;
  const { t } = useTranslation();
  const remove = useDeletePrompt(slug);
  const inUse = remove.isError && asProblem(remove.error).code === "IN_USE";
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("prompts.delete.title", { name: prompt.name })}
      description={
        inUse ? (
          <Alert tone="warning" title={t("prompts.delete.inUse")}>
            {problemMessage(remove.error)}
          </Alert>
        ) : (
          t("prompts.delete.body")
        )
      }
      confirmLabel={t("prompts.delete.action")}
      loading={remove.isPending}
      error={remove.isError && !inUse ? problemMessage(remove.error) : null}
      onConfirmed={() =>
        remove.mutate(prompt.id, {
          onSuccess: () => {
            toast.success(t("prompts.delete.done", { name: prompt.name }));
            onClosed();
            onDeleted?.();
          },
        })
      }
    />
  );
}
