import { useTranslation } from "react-i18next";
import type { AssistRead } from "@/api/types";
import { Button } from "@/components/ui/button";

type Option = AssistRead["models"][number];

export interface ModelOptionsProps {
  options: readonly Option[];
  /** Text shown without options. */
  none: string;
  applyLabel: string;
  onApplied: (modelIds: string[]) => void;
}

/** Recommended or discouraged models with reasons. */
export function ModelOptions({ options, none, applyLabel, onApplied }: ModelOptionsProps) {
  const { t } = useTranslation();
  if (options.length === 0) {
    return <p className="text-sm text-ink-muted">{none}</p>;
  }
  return (
    <div className="grid gap-3">
      <ul aria-label={t("wizard.models.advised")} className="grid gap-2">
        {options.map(({ model_id: id, name, reason }) => (
          <li
            key={id}
            className="grid gap-0.5 rounded-lg border border-border bg-raised px-3.5 py-2.5"
          >
            <span className="text-sm font-medium wrap-anywhere">{name}</span>
            <span className="text-xs text-ink-muted">{reason}</span>
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className="justify-self-start"
        onClick={() => onApplied(options.map((option) => option.model_id))}
      >
        {applyLabel}
      </Button>
    </div>
  );
}
