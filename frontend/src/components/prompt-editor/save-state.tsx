import { useTranslation } from "react-i18next";
import { SaveState as SavingNote } from "@/components/draft-saving/save-state";
import { hasUnreadableTools, isDirty, type DraftState } from "./draft-state";

export interface SaveStateProps {
  state: DraftState;
  onRetryWanted: () => void;
  onConflictOpened: () => void;
}

/** Save state of a prompt's draft. */
export function SaveState(props: SaveStateProps) {
  const { t } = useTranslation();
  return (
    <SavingNote
      {...props}
      isDirty={isDirty(props.state)}
      savedText={t("saving.saved")}
      heldBackText={hasUnreadableTools(props.state) ? t("prompts.saving.noTools") : null}
    />
  );
}
