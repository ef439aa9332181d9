import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";

/** Button to the right of the last column, sticky while rows scroll. */
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
