import { Plus, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { MOST_COLUMNS, type ColumnChoice } from "./columns";

/**
 * Column label: "Simulated small", or "#1 · Support replies v1 · Simulated small" for another
 * iteration.
 */
export function useColumnName() {
  const { t } = useTranslation();
  return ({ label, iteration, isCurrent }: ColumnChoice) =>
    isCurrent ? label : t("iterations.outputs.elsewhere", { number: iteration, label });
}

export interface ColumnPickerProps {
  choices: readonly ColumnChoice[];
  chosen: readonly ColumnChoice[];
  onChosen: (keys: string[]) => void;
}

/** Picker of up to four columns to compare. */
export function ColumnPicker({ choices, chosen, onChosen }: ColumnPickerProps) {
  const { t } = useTranslation();
  const nameOf = useColumnName();
  const keys = chosen.map(({ key }) => key);
  const left = choices.filter(({ key }) => !keys.includes(key));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label={t("iterations.outputs.columns")} className="flex flex-wrap gap-2">
        {chosen.map((column) => (
          <li
            key={column.key}
            className="flex max-w-72 items-center gap-1 rounded-md border border-border bg-surface py-0.5 pr-0.5 pl-2.5 text-xs"
          >
            <span className="truncate" title={nameOf(column)}>
              {nameOf(column)}
            </span>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              className="size-6"
              disabled={chosen.length === 1}
              aria-label={t("iterations.outputs.removeColumn", { name: nameOf(column) })}
              onClick={() => onChosen(keys.filter((key) => key !== column.key))}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {left.length === 0 || chosen.length >= MOST_COLUMNS ? null : (
        <Menu
          trigger={
            <Button size="sm" variant="ghost">
              <Plus aria-hidden />
              {t("iterations.outputs.addColumn")}
            </Button>
          }
        >
          {left.map((column) => (
            <MenuItem key={column.key} onSelect={() => onChosen([...keys, column.key])}>
              {nameOf(column)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}
