import { Check, CircleAlert, CloudOff, GitMerge, LoaderCircle, PencilLine } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { Button } from "@/components/ui/button";
import { hasUnreadableTools, isDirty, type DraftState } from "./draft-state";

export interface SaveStateProps {
  state: DraftState;
  onRetryWanted: () => void;
  onConflictOpened: () => void;
}

interface Shown {
  icon: ReactNode;
  text: string;
  tone?: "danger" | "warning";
  action?: ReactNode;
}

function useShown({ state, onRetryWanted, onConflictOpened }: SaveStateProps): Shown {
  const { t } = useTranslation();
  switch (state.phase) {
    case "saving":
      return {
        icon: <LoaderCircle aria-hidden className="animate-spin" />,
        text: t("prompts.saving.saving"),
      };
    case "offline":
      return {
        icon: <CloudOff aria-hidden />,
        text: t("prompts.saving.offline"),
        tone: "warning",
        action: (
          <Button variant="secondary" size="sm" onClick={onRetryWanted}>
            {t("prompts.saving.retry")}
          </Button>
        ),
      };
    case "conflict":
      return {
        icon: <GitMerge aria-hidden />,
        text: t("prompts.saving.conflict"),
        tone: "warning",
        action: (
          <Button variant="secondary" size="sm" onClick={onConflictOpened}>
            {t("prompts.saving.resolve")}
          </Button>
        ),
      };
    case "failed":
      return {
        icon: <CircleAlert aria-hidden />,
        text: t("prompts.saving.failed", { reason: problemMessage(state.problem) }),
        tone: "danger",
      };
    case "idle":
      break;
  }
  if (isDirty(state)) {
    return { icon: <PencilLine aria-hidden />, text: t("prompts.saving.unsaved") };
  }
  return hasUnreadableTools(state)
    ? { icon: <CircleAlert aria-hidden />, text: t("prompts.saving.noTools"), tone: "warning" }
    : { icon: <Check aria-hidden />, text: t("prompts.saving.saved") };
}

const TONES = { danger: "text-danger", warning: "text-warning" } as const;

/** Where the draft stands. Only trouble is read out: saving is too frequent for that. */
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
