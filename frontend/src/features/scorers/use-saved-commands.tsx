import type { UseMutationResult } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { toast } from "@/components/ui/toast";
import { DeleteDialog } from "./delete-dialog";
import type { Saved, SavedCommand } from "./saved-menu";

export interface SavedActions {
  duplicate: UseMutationResult<Saved, Error, string>;
  archive: UseMutationResult<Saved, Error, { id: string; archive: boolean }>;
  remove: UseMutationResult<unknown, Error, string>;
  consequence: string;
  onDuplicated: (copy: Saved) => void;
  onDeleted?: () => void;
}

/** Carries out the commands of the menu; `dialog` is the question that one of them asks first. */
export function useSavedCommands(actions: SavedActions) {
  const { duplicate, archive, remove, consequence, onDuplicated, onDeleted } = actions;
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Saved | null>(null);
  const onError = (error: unknown) => void toast.error(problemMessage(error));
  const run = (command: SavedCommand, saved: Saved) => {
    const { id, name } = saved;
    if (command === "delete") {
      remove.reset();
      setAsked(saved);
    } else if (command === "duplicate") {
      duplicate.mutate(id, {
        onError,
        onSuccess: (copy) => {
          toast.success(t("scorers.duplicated", { name: copy.name }));
          onDuplicated(copy);
        },
      });
    } else {
      const isArchived = saved.archived_at !== null;
      archive.mutate(
        { id, archive: !isArchived },
        {
          onError,
          onSuccess: () =>
            toast.success(t(isArchived ? "scorers.unarchived" : "scorers.archived", { name })),
        },
      );
    }
  };
  const dialog: ReactNode =
    asked === null ? null : (
      <DeleteDialog
        saved={asked}
        consequence={consequence}
        remove={remove}
        onClosed={() => setAsked(null)}
        onDeleted={onDeleted}
      />
    );
  return { run, dialog };
}
