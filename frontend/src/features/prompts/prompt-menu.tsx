import { Archive, ArchiveRestore, CopyPlus, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PromptSummary } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";

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
    <Menu
      trigger={
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("prompts.menu.label", { name: prompt.name })}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem disabled={archived} onSelect={() => onCommand("rename")}>
        <Pencil aria-hidden />
        {t("prompts.rename.action")}
      </MenuItem>
      <MenuItem onSelect={() => onCommand("duplicate")}>
        <CopyPlus aria-hidden />
        {t("prompts.duplicate.action")}
      </MenuItem>
      <MenuItem onSelect={() => onCommand("archive")}>
        {archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        {archived ? t("prompts.archive.undo") : t("prompts.archive.action")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => onCommand("delete")}>
        <Trash2 aria-hidden />
        {t("prompts.delete.action")}
      </MenuItem>
    </Menu>
  );
}
