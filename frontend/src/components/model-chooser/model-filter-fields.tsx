import { Search } from "lucide-react";
import { RadioGroup } from "radix-ui";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Input } from "@/components/ui/input";
import { providersOf, type ModelFilter } from "./find-models";

const ALL = "all";
const CHIP =
  "h-7 rounded-full border border-border-input bg-raised px-2.5 text-xs text-ink-muted " +
  "hover:text-ink data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-bg " +
  "data-[state=checked]:text-on-accent-bg";

export interface ModelFilterFieldsProps {
  /** All models on offer. */
  models: readonly Model[];
  filter: ModelFilter;
  onFilterChanged: (filter: ModelFilter) => void;
  /** Further properties of the search box. */
  search?: ComponentProps<typeof Input>;
}

/** Search box of a list of models, and a filter by provider if there are several. */
export function ModelFilterFields(props: ModelFilterFieldsProps) {
  const { models, filter, onFilterChanged, search } = props;
  const { t } = useTranslation();
  const providers = providersOf(models);
  return (
    <div className="grid gap-2">
      <Input
        icon={<Search aria-hidden />}
        aria-label={t("modelChooser.search")}
        placeholder={t("modelChooser.search")}
        maxLength={200}
        value={filter.q}
        onChange={(event) => onFilterChanged({ ...filter, q: event.target.value })}
        {...search}
      />
      {providers.size < 2 ? null : (
        <RadioGroup.Root
          aria-label={t("modelChooser.provider")}
          orientation="horizontal"
          value={filter.provider ?? ALL}
          onValueChange={(next) =>
            onFilterChanged({ ...filter, provider: next === ALL ? null : next })
          }
          className="flex flex-wrap gap-1.5"
        >
          {[[ALL, t("modelChooser.allProviders")] as const, ...providers].map(([value, title]) => (
            <RadioGroup.Item key={value} value={value} className={CHIP}>
              {title}
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      )}
    </div>
  );
}
