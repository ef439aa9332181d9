import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Destination, DestinationChannel, NotificationKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { DestinationForm } from "./destination-form";
import { DESTINATION, useDestinationWriters } from "./queries";
import { SecretShown } from "./secret-shown";

export interface EditDialogProps {
  slug: string;
  /** Null to add a new one. */
  destination: Destination | null;
  channels: readonly DestinationChannel[];
  kinds: readonly NotificationKind[];
  onClosed: () => void;
}

/** Adds or changes a destination; then shows its signing secret if it is new. */
export function EditDialog({ slug, destination, channels, kinds, onClosed }: EditDialogProps) {
  const { t } = useTranslation();
  const { create, change } = useDestinationWriters(slug);
  const [secret, setSecret] = useState<string | null>(null);
  const isNew = destination === null;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={isNew ? t("destinations.add.title") : t("destinations.edit.title")}
      description={isNew ? t("destinations.add.description") : destination.name}
    >
      {secret !== null ? (
        <SecretShown secret={secret} hint={t("destinations.secret.hint")} onDone={onClosed} />
      ) : (
        <DestinationForm
          channels={isNew ? channels : null}
          kinds={kinds}
          {...(isNew ? {} : { target: destination.target })}
          values={
            isNew
              ? { channel: "webhook", name: "", address: "", kinds: [], includes_content: false }
              : {
                  channel: destination.channel,
                  name: destination.name,
                  address: "",
                  kinds: destination.kinds,
                  includes_content: destination.includes_content,
                }
          }
          submitLabel={isNew ? t("destinations.add.submit") : t("ui.save")}
          onCancelled={onClosed}
          onSubmitted={async (values) => {
            const saved = await (isNew ? create(values) : change(destination.id, values));
            toast.success(t("destinations.saved", { name: saved.destination.name }));
            if (saved.secret === null) {
              onClosed();
            } else {
              setSecret(saved.secret);
            }
          }}
        />
      )}
    </Dialog>
  );
}

export interface ChangeDialogProps {
  slug: string;
  destination: Destination;
  onClosed: () => void;
}

export function RotateDialog({ slug, destination, onClosed }: ChangeDialogProps) {
  const { t } = useTranslation();
  const rotate = useChange("post", `${DESTINATION}/rotate`, {
    project: slug,
    destination_id: destination.id,
  });
  if (rotate.data !== undefined) {
    return (
      <Dialog
        open
        onOpenChanged={onClosed}
        closeOnOutside={false}
        title={t("destinations.rotate.title")}
        description={destination.name}
      >
        <SecretShown
          secret={rotate.data.secret}
          hint={t("destinations.rotate.hint")}
          onDone={onClosed}
        />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChanged={onClosed}
      title={t("destinations.rotate.title")}
      description={t("destinations.rotate.description", { name: destination.name })}
      confirmLabel={t("destinations.rotate.action")}
      loading={rotate.isPending}
      error={rotate.isError ? problemMessage(rotate.error) : null}
      onConfirmed={() => rotate.mutate(undefined)}
    />
  );
}

export function DeleteDestinationDialog({ slug, destination, onClosed }: ChangeDialogProps) {
  const { t } = useTranslation();
  const remove = useChange("delete", DESTINATION, {
    project: slug,
    destination_id: destination.id,
  });
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("destinations.delete.title", { name: destination.name })}
      description={t("destinations.delete.description")}
      confirmLabel={t("destinations.delete.action")}
      loading={remove.isPending}
      error={remove.isError ? problemMessage(remove.error) : null}
      onConfirmed={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast.success(t("destinations.delete.done"));
            onClosed();
          },
        })
      }
    />
  );
}
