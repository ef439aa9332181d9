import { Check, CircleAlert, CloudOff, GitMerge, LoaderCircle, PencilLine } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { Button } from "@/components/ui/button";
import type { SavingState } from "./saving-state";

export interface SaveStateProps {
  state: Pick<SavingState<unknown, unknown>, "phase" | "problem">;
  isDirty: boolean;
  /** Text shown when everything is saved. */
  savedText: string;
  /** Text shown when everything is saved except an invalid part. */
  heldBackText?: string | null;
  onRetryWanted: () => void;
  onConflictOpened: () => void;
}

interface Shown {
  icon: ReactNode;
  text: string;
  tone?: "danger" | "warning";
  action?: ReactNode;
}

function useShown(props: SaveStateProps): Shown {
  const { state, isDirty, savedText, heldBackText = null } = props;
  const { t } = useTranslation();
  switch (state.phase) {
    case "saving":
      return {
        icon: <LoaderCircle aria-hidden className="animate-spin" />,
        text: t("saving.saving"),
      };
    case "offline":
      return {
        icon: <CloudOff aria-hidden />,
        text: t("saving.offline"),
        tone: "warning",
        action: (
          <Button variant="secondary" size="sm" onClick={props.onRetryWanted}>
            {t("saving.retry")}
          </Button>
        ),
      };
    case "conflict":
      return {
        icon: <GitMerge aria-hidden />,
        text: t("saving.conflict"),
        tone: "warning",
        action: (
          <Button variant="secondary" size="sm" onClick={props.onConflictOpened}>
            {t("saving.resolve")}
          </Button>
        ),
      };
    case "failed":
      return {
        icon: <CircleAlert aria-hidden />,
        text: t("saving.failed", { reason: problemMessage(state.problem) }),
        tone: "danger",
      };
    case "idle":
      break;
  }
  if (isDirty) {
    return { icon: <PencilLine aria-hidden />, text: t("saving.unsaved") };
  }
  return heldBackText === null
    ? { icon: <Check aria-hidden />, text: savedText }
    : { icon: <CircleAlert aria-hidden />, text: heldBackText, tone: "warning" };
}

const TONES = { danger: "text-danger", warning: "text-warning" } as const;

/** Save state of a draft. Only errors are announced to screen readers: saving is too frequent. */
export function SaveState(props: SaveStateProps) {
  const { icon, text, tone, action } = useShown(props);
  return (
    <div className="flex min-w-0 items-center gap-2">
      <p
        role={tone === undefined ? undefined : "status"}
        data-testid="save-state"
        className={`flex min-w-0 items-center gap-1.5 text-xs [&>svg]:size-3.5 [&>svg]:shrink-0 ${tone === undefined ? "text-ink-muted" : TONES[tone]}`}
      >
        {icon}
        {text}
      </p>
      {action}
    </div>
  );
}
