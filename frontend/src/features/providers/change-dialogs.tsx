import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Credential, ProviderKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import { RenameDialog } from "@/components/rename-dialog";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { draftOf, toFields } from "./credential-draft";
import { CredentialForm } from "./credential-form";
import { CREDENTIAL, useSecretWriters } from "./queries";

export interface CredentialDialogProps {
  slug: string;
  credential: Credential;
  onClosed: () => void;
}

export function RenameCredentialDialog({ slug, credential, onClosed }: CredentialDialogProps) {
  const { t } = useTranslation();
  const change = useChange("patch", CREDENTIAL, { project: slug, credential_id: credential.id });
  return (
    <RenameDialog
      title={t("providers.rename.title", { label: credential.label })}
      label={t("providers.fields.label")}
      name={credential.label}
      submitLabel={t("providers.rename.action")}
      isSaving={change.isPending}
      error={change.error}
      onEdited={change.reset}
      onRenamed={(label) =>
        change.mutate(
          { body: { label } },
          {
            onSuccess: () => {
              toast.success(t("providers.rename.done"));
              onClosed();
            },
          },
        )
      }
      onClosed={onClosed}
    />
  );
}

export interface ReplaceDialogProps extends CredentialDialogProps {
  provider: ProviderKind;
}

/** Replaces settings and secrets of a credential; its models keep using it. */
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
  const remove = useChange("delete", CREDENTIAL, { project: slug, credential_id: credential.id });
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
        remove.mutate(undefined, {
          onSuccess: () => {
            toast.success(t("providers.delete.done", { label: credential.label }));
            onClosed();
          },
        })
      }
    />
  );
}
