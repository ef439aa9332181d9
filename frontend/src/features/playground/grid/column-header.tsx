import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import type { Column } from "../session";

/** "OpenAI / GPT-4o": who answers in a column. */
export function useColumnName() {
  const { t } = useTranslation();
  return (column: Column, models: readonly Model[] | undefined): string => {
    const model = models?.find(({ id }) => id === column.modelId);
    if (model === undefined) {
      return models === undefined ? t("ui.loading") : t("playground.column.gone");
    }
    return `${model.provider_title} / ${model.display_name}`;
  };
}

/** What sets the column apart from others of the same model. */
function detailsOf(column: Column): string {
  const parameters = Object.entries(column.parameters ?? {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`);
  return [column.label, ...parameters].filter(Boolean).join(" · ");
}

export interface ColumnHeaderProps {
  column: Column;
  name: string;
  canEdit: boolean;
  /** Null for the last column, which stays. */
  onRemoved: (() => void) | null;
  onEdited: () => void;
}

export function ColumnHeader({ column, name, canEdit, onRemoved, onEdited }: ColumnHeaderProps) {
  const { t } = useTranslation();
  const details = detailsOf(column);
  const words = (
    <>
      <span className="w-full truncate text-left text-ink">{name}</span>
      {details === "" ? null : (
        <span className="w-full truncate text-left font-normal">{details}</span>
      )}
    </>
  );
  if (!canEdit) {
    return words;
  }
  return (
    <div className="group/column -mx-2 flex items-center gap-1">
      <button
        type="button"
        title={name}
        className="flex min-w-0 flex-1 flex-col rounded-md px-2 py-1 hover:bg-surface-hover"
        onClick={onEdited}
      >
        <span className="sr-only">{t("playground.column.edit")}</span> {words}
      </button>
      {onRemoved === null ? null : (
        <button
          type="button"
          aria-label={t("playground.column.remove", { name })}
          title={t("playground.column.remove", { name })}
          className="flex size-7 shrink-0 items-center justify-center rounded-md text-ink-subtle opacity-0 group-focus-within/column:opacity-100 group-hover/column:opacity-100 hover:bg-surface-hover hover:text-danger focus-visible:opacity-100"
          onClick={onRemoved}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
