import {
  Ban,
  CirclePause,
  CirclePlay,
  SkipForward,
  WandSparkles,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Iteration } from "@/api/types";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { formatCost, formatNumber } from "@/lib/format";
import { useActOnIteration, type IterationPlace, type PlainAction } from "./queries";

const SHOWN = [
  "resume",
  "pause",
  "cancel",
  "refine",
  "close",
] as const satisfies readonly PlainAction[];

const ICONS: Record<PlainAction, LucideIcon> = {
  pause: CirclePause,
  resume: CirclePlay,
  cancel: Ban,
  refine: WandSparkles,
  close: SkipForward,
};

interface ConfirmActionProps {
  place: IterationPlace;
  iteration: Iteration;
  action: "cancel" | "close";
  onClosed: () => void;
}

/** Confirmation that explains what happens to work in progress and what is kept. */
function ConfirmAction({ place, iteration, action, onClosed }: ConfirmActionProps) {
  const { t } = useTranslation();
  const act = useActOnIteration(place);
  const { progress, number } = iteration;
  return (
    <ConfirmDialog
      open
      tone={action === "cancel" ? "danger" : "primary"}
      onOpenChanged={onClosed}
      title={t(`iterations.asked.${action}.title`, { number })}
      description={
        action === "cancel" && progress === null
          ? t("iterations.asked.cancel.early")
          : t(`iterations.asked.${action}.body`, {
              done: formatNumber(progress?.cells_done ?? 0),
              total: formatNumber(progress?.cells ?? 0),
              cost: formatCost(iteration.cost.total_usd),
            })
      }
      confirmLabel={t(`iterations.asked.${action}.confirm`)}
      cancelLabel={t(`iterations.asked.${action}.keep`)}
      loading={act.isPending}
      error={act.isError ? problemMessage(act.error) : null}
      onConfirmed={() => act.mutate(action, { onSuccess: onClosed })}
    />
  );
}

export interface IterationActionsProps {
  place: IterationPlace;
  iteration: Iteration;
}

export function IterationActions({ place, iteration }: IterationActionsProps) {
  const { t } = useTranslation();
  const act = useActOnIteration(place);
  const [asked, setAsked] = useState<ConfirmActionProps["action"] | null>(null);
  const start = (action: PlainAction) => {
    if (action === "cancel" || action === "close") {
      setAsked(action);
      return;
    }
    act.mutate(action, {
      onSuccess: () => toast.success(t(`iterations.done.${action}`)),
      onError: (error) => toast.error(problemMessage(error)),
    });
  };
  return (
    <>
      {SHOWN.filter((action) => iteration.actions.includes(action)).map((action) => {
        const Icon = ICONS[action];
        return (
          <Button
            key={action}
            variant={action === "resume" ? "primary" : "secondary"}
            loading={act.isPending}
            onClick={() => start(action)}
          >
            <Icon aria-hidden />
            {t(`iterations.actions.${action}`)}
          </Button>
        );
      })}
      {asked === null ? null : (
        <ConfirmAction
          place={place}
          iteration={iteration}
          action={asked}
          onClosed={() => setAsked(null)}
        />
      )}
    </>
  );
}
