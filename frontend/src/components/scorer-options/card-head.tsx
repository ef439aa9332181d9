import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";

export interface CardHeadProps {
  title: string;
  badges: ReactNode;
  description: ReactNode;
  onRemoved: () => void;
}

/** Header of a scorer or comparer card, with a remove button. */
export function CardHead({ title, badges, description, onRemoved }: CardHeadProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
          {title}
          {badges}
        </h3>
        <p className="text-xs text-ink-muted">{description}</p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("runs.new.removeScorer", { name: title })}
        onClick={onRemoved}
      >
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}
