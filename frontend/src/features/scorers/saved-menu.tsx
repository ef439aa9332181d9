import { Archive, ArchiveRestore, CopyPlus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CommandMenu } from "@/components/ui/command-menu";

/** What scorers and rubrics have in common. */
export interface Saved {
  id: string;
  name: string;
  archived_at: string | null;
}

export type SavedCommand = "duplicate" | "archive" | "delete";

export interface SavedMenuProps {
  saved: Saved;
  onCommand: (command: SavedCommand) => void;
}

export function SavedMenu({ saved, onCommand }: SavedMenuProps) {
  const { t } = useTranslation();
  const archived = saved.archived_at !== null;
  return (
    <CommandMenu
      label={t("scorers.menu.label", { name: saved.name })}
      commands={[
        {
          icon: CopyPlus,
          label: t("scorers.menu.duplicate"),
          onChosen: () => onCommand("duplicate"),
        },
        {
          icon: archived ? ArchiveRestore : Archive,
          label: archived ? t("scorers.menu.unarchive") : t("scorers.menu.archive"),
          onChosen: () => onCommand("archive"),
        },
        {
          icon: Trash2,
          label: t("scorers.menu.delete"),
          isDanger: true,
          onChosen: () => onCommand("delete"),
        },
      ]}
    />
  );
}
