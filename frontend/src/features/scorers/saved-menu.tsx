import { Archive, ArchiveRestore, CopyPlus, Ellipsis, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";

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
    <Menu
      trigger={
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("scorers.menu.label", { name: saved.name })}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => onCommand("duplicate")}>
        <CopyPlus aria-hidden />
        {t("scorers.menu.duplicate")}
      </MenuItem>
      <MenuItem onSelect={() => onCommand("archive")}>
        {archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        {archived ? t("scorers.menu.unarchive") : t("scorers.menu.archive")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => onCommand("delete")}>
        <Trash2 aria-hidden />
        {t("scorers.menu.delete")}
      </MenuItem>
    </Menu>
  );
}
