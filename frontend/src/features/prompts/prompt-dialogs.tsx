import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { PromptSummary } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { useDeletePrompt, useRenamePrompt } from "./queries";

export interface PromptDialogProps {
  slug: string;
  prompt: PromptSummary;
  onClosed: () => void;
}

export function RenamePromptDialog({ slug, prompt, onClosed }: PromptDialogProps) {
  const { t } = useTranslation();
  const rename = useRenamePrompt(slug);
  const [name, setName] = useState(prompt.name);
  const problem = rename.isError ? asProblem(rename.error) : null;
  const submit = () => {
    if (name.trim() === prompt.name) {
      onClosed();
      return;
    }
    rename.mutate({ promptId: prompt.id, name: name.trim() }, { onSuccess: onClosed });
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("prompts.rename.title", { name: prompt.name })}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          required
          label={t("fields.name")}
          hint={prompt.latest === null ? undefined : t("prompts.rename.hint")}
          error={
            problem === null ? undefined : (problem.fields[0]?.message ?? problemMessage(problem))
          }
        >
          {(control) => (
            <Input
              {...control}
              value={name}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <DialogFooter>
          <Button variant="ghost" onClick={onClosed}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" loading={rename.isPending}>
            {t("prompts.rename.action")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
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
