import { Snowflake } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

/** Freezes the selected lines of the editor that it stands below, or unfreezes them. */
export function FreezeButton() {
  const { t } = useTranslation();
  const toggle = async (frame: HTMLElement | null) => {
    const { toggleFrozenIn } = await import("@/components/editor/frozen-lines");
    if (frame !== null) {
      toggleFrozenIn(frame);
    }
  };
  return (
    <Tooltip content={t("prompts.freeze.hint")}>
      <Button
        variant="ghost"
        size="sm"
        className="h-6 px-1.5 text-xs"
        onClick={(event) =>
          void toggle(event.currentTarget.closest<HTMLElement>("[data-code-editor]"))
        }
      >
        <Snowflake aria-hidden />
        {t("prompts.freeze.action")}
      </Button>
    </Tooltip>
  );
}
