import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Credential, ProviderKind } from "@/api/types";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { draftOf, toFields } from "./credential-draft";
import { CredentialForm } from "./credential-form";
import { useChangeCredential, useDeleteCredential, useSecretWriters } from "./queries";

export interface CredentialDialogProps {
  slug: string;
  credential: Credential;
  onClosed: () => void;
}

export function RenameDialog({ slug, credential, onClosed }: CredentialDialogProps) {
  const { t } = useTranslation();
  const change = useChangeCredential(slug);
  const [label, setLabel] = useState(credential.label);
  const missing = label.trim() === "";
  const error = missing
    ? t("validation.nameRequired")
    : change.error === null
      ? undefined
      : asProblem(change.error).fields.length > 0
        ? asProblem(change.error)
            .fields.map((field) => field.message)
            .join(" ")
        : problemMessage(change.error);
  const submit = () => {
    if (missing || change.isPending) {
      return;
    }
    change.mutate(
      { credentialId: credential.id, change: { label: label.trim() } },
      {
        onSuccess: () => {
          toast.success(t("providers.rename.done"));
          onClosed();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("providers.rename.title", { label: credential.label })}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field required label={t("providers.fields.label")} error={error}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={label}
              onChange={(event) => {
                change.reset();
                setLabel(event.target.value);
              }}
            />
          )}
        </Field>
        <DialogFooter>
          <Button variant="ghost" onClick={onClosed}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t("providers.rename.action")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

export interface ReplaceDialogProps extends CredentialDialogProps {
  provider: ProviderKind;
}

/** New settings and secrets for a credential; what uses it goes on with the new ones. */
export function ReplaceDialog({ slug, credential, provider, onClosed }: ReplaceDialogProps) {
  const { t } = useTranslation();
  const { replaceCredential } = useSecretWriters(slug);
  const [draft, setDraft] = useState(() => draftOf(provider, credential));
  const hasSecrets = Object.keys(credential.secrets).length > 0;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("providers.replace.title", { label: credential.label })}
      description={hasSecrets ? t("providers.replace.description") : t("providers.replace.plain")}
    >
      <CredentialForm
        provider={provider}
        draft={draft}
        onDraftChanged={setDraft}
        stored={credential.secrets}
        save={(signal) => replaceCredential(credential.id, toFields(draft, provider), signal)}
        onSaved={() => {
          toast.success(t("providers.replace.done", { label: credential.label }));
          onClosed();
        }}
        submitLabel={t("providers.add.submit")}
        secondary={
          <Button variant="ghost" onClick={onClosed}>
            {t("ui.cancel")}
          </Button>
        }
      />
    </Dialog>
  );
}

export function DeleteDialog({ slug, credential, onClosed }: CredentialDialogProps) {
  const { t } = useTranslation();
  const remove = useDeleteCredential(slug);
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("providers.delete.title", { label: credential.label })}
      description={t("providers.delete.body")}
      confirmLabel={t("providers.delete.action")}
      loading={remove.isPending}
      error={remove.error === null ? null : problemMessage(remove.error)}
      onConfirmed={() =>
        remove.mutate(credential.id, {
          onSuccess: () => {
            toast.success(t("providers.delete.done", { label: credential.label }));
            onClosed();
          },
        })
      }
    />
  );
}
