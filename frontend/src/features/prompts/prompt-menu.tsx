import { Archive, ArchiveRestore, CopyPlus, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { CommandMenu } from "@/components/ui/command-menu";

export type PromptCommand = "rename" | "duplicate" | "archive" | "delete";

export interface PromptMenuProps {
  prompt: PromptSummary;
  editable: boolean;
  onCommand: (command: PromptCommand) => void;
}

export function PromptMenu({ prompt, editable, onCommand }: PromptMenuProps) {
  const { t } = useTranslation();
  if (!editable) {
    return null;
  }
  const archived = prompt.archived_at !== null;
  return (
    <CommandMenu
      label={t("prompts.menu.label", { name: prompt.name })}
      commands={[
        {
          icon: Pencil,
          label: t("prompts.rename.action"),
          disabled: archived,
          onChosen: () => onCommand("rename"),
        },
        {
          icon: CopyPlus,
          label: t("prompts.duplicate.action"),
          onChosen: () => onCommand("duplicate"),
        },
        {
          icon: archived ? ArchiveRestore : Archive,
          label: archived ? t("prompts.archive.undo") : t("prompts.archive.action"),
          onChosen: () => onCommand("archive"),
        },
        {
          icon: Trash2,
          label: t("prompts.delete.action"),
          isDanger: true,
          onChosen: () => onCommand("delete"),
        },
      ]}
    />
  );
}
