import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { MonitorSummary } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { MUTE_TIMES, muteEnd, type MuteTime } from "@/components/mute-times";
import { Dialog } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/radio-group";
import { MONITOR } from "./queries";

export interface MuteDialogProps {
  slug: string;
  monitor: MonitorSummary;
  onClosed: () => void;
}

/** Stops notifications of a monitor for a while; alerts still open. */
export function MuteDialog({ slug, monitor, onClosed }: MuteDialogProps) {
  const { t } = useTranslation();
  const [time, setTime] = useState<MuteTime>("day");
  const mute = useChange("post", `${MONITOR}/mute`, { project: slug, monitor_id: monitor.id });
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("monitors.mute.title", { name: monitor.name })}
      description={t("monitors.mute.body")}
    >
      <DialogForm
        submitLabel={t(time === "none" ? "mute.end" : "mute.action")}
        isSaving={mute.isPending}
        message={mute.isError ? problemMessage(mute.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          mute.mutate({ body: { until: muteEnd(time, Date.now()) } }, { onSuccess: onClosed })
        }
      >
        <RadioGroup
          hideLegend
          legend={t("mute.legend")}
          value={time}
          options={MUTE_TIMES.map((value) => ({ value, label: t(`mute.times.${value}`) }))}
          onValueChanged={setTime}
        />
      </DialogForm>
    </Dialog>
  );
}
