import { useTranslation } from "react-i18next";
import type { Cell } from "@/api/types";
import type { CellTools } from "./cell-tools";

export interface CellActionsProps {
  cell: Cell;
  tools: CellTools;
  /** Whether the buttons are in the tab order: only for the focused cell. */
  isReachable: boolean;
}

/** Actions of the hovered or focused cell. */
export function CellActions({ cell, tools, isReachable }: CellActionsProps) {
  const { t } = useTranslation();
  return (
    <div
      role="group"
      aria-label={t("cell.actions")}
      className="absolute top-1.5 right-1.5 flex rounded-md border border-border bg-raised p-0.5 shadow-sm"
    >
      {tools.actionsOf(cell).map(({ label, Icon, shortcut, onChosen }) => (
        <button
          key={shortcut}
          type="button"
          tabIndex={isReachable ? 0 : -1}
          aria-label={label}
          aria-keyshortcuts={shortcut}
          title={t("cell.shortcut", { label, key: shortcut === "Enter" ? "↵" : shortcut })}
          className="flex size-7 items-center justify-center rounded-sm text-ink-muted hover:bg-surface-hover hover:text-ink"
          onClick={() => onChosen(cell)}
        >
          <Icon aria-hidden className="size-3.5" />
        </button>
      ))}
    </div>
  );
}
