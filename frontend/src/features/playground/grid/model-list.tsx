import { RadioGroup } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { PriceText } from "@/components/model-prices/price-text";
import { SimulatedBadge } from "@/components/simulated-badge";
import { locale } from "@/lib/locale";
import { modelSource } from "@/lib/model-source";

/** Models whose name contains all words, grouped by provider. */
export function groupModels(models: readonly Model[], q: string): [string, Model[]][] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => {
    const text =
      `${modelSource(model, models)} ${model.display_name} ${model.provider_model}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = new Map<string, Model[]>();
  for (const model of found.toSorted((one, other) =>
    one.display_name.localeCompare(other.display_name, locale, { numeric: true }),
  )) {
    const source = modelSource(model, models);
    groups.set(source, [...(groups.get(source) ?? []), model]);
  }
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
}

export interface ModelListProps {
  models: readonly Model[];
  q: string;
  chosen: string | null;
  onChosenChanged: (modelId: string) => void;
}

/** Picker of one of the project's models. */
export function ModelList({ models, q, chosen, onChosenChanged }: ModelListProps) {
  const { t } = useTranslation();
  const groups = groupModels(models, q);
  if (groups.length === 0) {
    return (
      <p className="py-6 text-center text-sm text-ink-muted">{t("playground.column.noMatch")}</p>
    );
  }
  return (
    <RadioGroup.Root
      aria-label={t("playground.column.model")}
      value={chosen ?? ""}
      onValueChange={onChosenChanged}
      className="grid max-h-72 gap-4 overflow-y-auto rounded-lg border border-border p-3"
    >
      {groups.map(([provider, members]) => (
        <div key={provider} role="presentation" className="grid gap-1">
          <p className="px-2 text-xs font-medium text-ink-muted">{provider}</p>
          {members.map((model) => (
            <RadioGroup.Item
              key={model.id}
              value={model.id}
              className="flex items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-surface-hover data-[state=checked]:bg-accent-bg data-[state=checked]:text-on-accent-bg"
            >
              <span className="min-w-0 truncate font-medium">{model.display_name}</span>
              {model.is_simulated ? <SimulatedBadge /> : null}
              <span className="ml-auto text-xs">
                <PriceText prices={model.prices} />
              </span>
            </RadioGroup.Item>
          ))}
        </div>
      ))}
    </RadioGroup.Root>
  );
}
