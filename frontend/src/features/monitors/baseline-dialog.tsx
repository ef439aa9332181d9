import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { MONITOR, type MonitorAddress } from "./queries";

/** Pins a check as the baseline, or lets a new baseline begin with the latest check. */
export type BaselineWish = { kind: "pin"; checkId: string; number: number } | { kind: "accept" };

export interface BaselineDialogProps {
  at: MonitorAddress;
  wish: BaselineWish;
  onClosed: () => void;
}

export function BaselineDialog({ at, wish, onClosed }: BaselineDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const set = useChange("post", `${MONITOR}/baseline`, at, { also: [keys.alerts(at.project)] });
  const checkId = wish.kind === "pin" ? wish.checkId : null;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={
        wish.kind === "pin"
          ? t("monitors.baseline.pinTitle", { number: wish.number })
          : t("monitors.baseline.acceptTitle")
      }
      description={t(`monitors.baseline.${wish.kind}Body`)}
    >
      <DialogForm
        submitLabel={t(`monitors.baseline.${wish.kind}`)}
        isSaving={set.isPending}
        message={set.isError ? problemMessage(set.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          set.mutate(
            { body: { check_id: checkId, note: note.trim() } },
            {
              onSuccess: () => {
                toast.success(t("monitors.baseline.set"));
                onClosed();
              },
            },
          )
        }
      >
        <Field label={t("monitors.baseline.note")} hint={t("monitors.baseline.noteHint")}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={2000}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  );
}
