import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";

/** To the right of the last column, wherever the rows have been scrolled to. */
export function AddColumn({ onAdding }: { onAdding: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="sticky top-0 z-20 p-2.5">
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("playground.column.add")}
        title={t("playground.column.add")}
        onClick={onAdding}
      >
        <Plus aria-hidden />
      </Button>
    </div>
  );
}
