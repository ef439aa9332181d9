import { useTranslation } from "react-i18next";
import type { VotingRound } from "@/api/arena";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { RenameDialog } from "@/components/rename-dialog";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ROUND } from "./queries";

interface RoundDialogProps {
  slug: string;
  round: VotingRound;
  onClosed: () => void;
}

/** Confirms the end of a round, which reveals the models. */
export function CloseRoundDialog({ slug, round, onClosed }: RoundDialogProps) {
  const { t } = useTranslation();
  const close = useChange(
    "post",
    `${ROUND}/close`,
    { project: slug, round_id: round.id },
    { also: [keys.arena(slug)] },
  );
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("voting.close.title")}
      description={t("voting.close.body", { done: round.vote_count, total: round.seat_count })}
      confirmLabel={t("voting.close.action")}
      loading={close.isPending}
      error={close.isError ? problemMessage(close.error) : null}
      onConfirmed={() => close.mutate(undefined, { onSuccess: onClosed })}
    />
  );
}

/** Confirms the deletion of a round with its votes. */
export function DeleteRoundDialog({ slug, round, onClosed }: RoundDialogProps) {
  const { t } = useTranslation();
  const remove = useChange(
    "delete",
    ROUND,
    { project: slug, round_id: round.id },
    { also: [keys.arena(slug)] },
  );
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("lists.deleteTitle", { name: round.name })}
      description={t("voting.delete", { count: round.vote_count })}
      confirmLabel={t("lists.delete")}
      loading={remove.isPending}
      error={remove.isError ? problemMessage(remove.error) : null}
      onConfirmed={() => remove.mutate(undefined, { onSuccess: onClosed })}
    />
  );
}

/** Renames a round. */
export function RenameRoundDialog({ slug, round, onClosed }: RoundDialogProps) {
  const { t } = useTranslation();
  const rename = useChange("patch", ROUND, { project: slug, round_id: round.id });
  return (
    <RenameDialog
      title={t("voting.rename")}
      label={t("fields.name")}
      hint={t("voting.new.nameHint")}
      name={round.name}
      submitLabel={t("voting.rename")}
      isSaving={rename.isPending}
      error={rename.error}
      onEdited={rename.reset}
      onRenamed={(name) => rename.mutate({ body: { name } }, { onSuccess: onClosed })}
      onClosed={onClosed}
    />
  );
}
