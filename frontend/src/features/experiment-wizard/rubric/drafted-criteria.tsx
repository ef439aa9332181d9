import { useTranslation } from "react-i18next";
import type { AssistRead } from "@/api/types";
import { Button } from "@/components/ui/button";
import { formatPercent } from "@/lib/format";

export interface DraftedCriteriaProps {
  criteria: AssistRead["criteria"];
  onTaken: () => void;
}

/** A generated rubric, to accept or ignore. */
export function DraftedCriteria({ criteria, onTaken }: DraftedCriteriaProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3 rounded-xl border border-border bg-raised p-4">
      <ul className="grid gap-2">
        {criteria.map(({ name, description, weight, scale }) => (
          <li key={name} className="grid gap-0.5 text-sm">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{name}</span>
              <span className="text-xs text-ink-muted tabular-nums">
                {t("wizard.rubric.weightAndScale", { weight: formatPercent(weight), scale })}
              </span>
            </span>
            <span className="text-ink-muted">{description}</span>
          </li>
        ))}
      </ul>
      <Button size="sm" className="justify-self-start" onClick={onTaken}>
        {t("wizard.rubric.take", { count: criteria.length })}
      </Button>
    </div>
  );
}
