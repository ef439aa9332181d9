import { Columns3 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { PILL } from "./pill";
import { MODES, type Mode } from "./session";

export interface ModeMenuProps {
  mode: Mode;
  disabled: boolean;
  onModeWanted: (mode: Mode) => void;
}

/** Comparison mode. Versions and parameters open a dialog first. */
export function ModeMenu({ mode, disabled, onModeWanted }: ModeMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu
      align="start"
      className="w-72"
      trigger={
        <button
          type="button"
          disabled={disabled}
          aria-label={t("playground.mode.label", { mode: t(`playground.mode.names.${mode}`) })}
          title={t(`playground.mode.choices.${mode}`)}
          className={PILL}
        >
          <Columns3 aria-hidden />
          <span className="truncate @max-lg/toolbar:sr-only">
            {t(`playground.mode.names.${mode}`)}
          </span>
        </button>
      }
    >
      <MenuChoices
        label={t("playground.mode.choose")}
        value={mode}
        options={MODES.map((value) => ({ value, label: t(`playground.mode.choices.${value}`) }))}
        onValueChanged={onModeWanted}
      />
      {mode === "models" ? null : (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => onModeWanted(mode)}>{t("playground.mode.change")}</MenuItem>
        </>
      )}
    </Menu>
  );
}
