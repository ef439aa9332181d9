import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { MonitorAlert } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { MUTE_TIMES, muteEnd, type MuteTime } from "@/components/mute-times";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { ALERT } from "./queries";

export type AlertAction = "acknowledge" | "mute" | "resolve";

/** Actions that the alert's state allows; the server enforces them. */
export function actionsFor({ state }: MonitorAlert): AlertAction[] {
  if (state === "resolved") {
    return [];
  }
  return [...(state === "open" ? ["acknowledge" as const] : []), "mute", "resolve"];
}

interface Wish {
  note: string;
  until: string | null;
}

function useActOnAlert(slug: string, alert: MonitorAlert, action: AlertAction) {
  const at = { project: slug, alert_id: alert.id };
  return useRefreshingMutation(
    [keys.alerts(slug), keys.monitors(slug), keys.audit(slug)],
    ({ note, until }: Wish) => {
      // An empty note keeps the earlier one.
      const body = { note: note === "" ? null : note };
      switch (action) {
        case "mute":
          return send("post", `${ALERT}/mute`, { ...at, body: { ...body, until } });
        case "acknowledge":
          return send("post", `${ALERT}/acknowledge`, { ...at, body });
        case "resolve":
          return send("post", `${ALERT}/resolve`, { ...at, body });
      }
    },
  );
}

export interface AlertDialogProps {
  slug: string;
  alert: MonitorAlert;
  action: AlertAction;
  onClosed: () => void;
}

/** Acknowledges, mutes or resolves an alert, with a note. */
export function AlertDialog({ slug, alert, action, onClosed }: AlertDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState(alert.note ?? "");
  const [time, setTime] = useState<MuteTime>("day");
  const act = useActOnAlert(slug, alert, action);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t(`alerts.actions.${action}.title`)}
      description={t(`alerts.actions.${action}.body`)}
    >
      <DialogForm
        submitLabel={
          action === "mute" && time === "none" ? t("mute.end") : t(`alerts.actions.${action}.do`)
        }
        isSaving={act.isPending}
        message={act.isError ? problemMessage(act.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          act.mutate(
            { note: note.trim(), until: muteEnd(time, Date.now()) },
            {
              onSuccess: () => {
                toast.success(t(`alerts.actions.${action}.done`));
                onClosed();
              },
            },
          )
        }
      >
        {action === "mute" ? (
          <RadioGroup
            hideLegend
            legend={t("mute.legend")}
            value={time}
            options={MUTE_TIMES.map((value) => ({ value, label: t(`mute.times.${value}`) }))}
            onValueChanged={setTime}
          />
        ) : null}
        <Field label={t("alerts.note")} hint={t("alerts.noteHint")}>
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
