import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { setPriceUnit, usePriceUnit } from "@/components/model-prices/price-unit";
import { SearchBox } from "@/components/search-box";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { SORTS, type ModelView } from "./arrange";

const ALL = "all";

export interface ModelFilterBarProps {
  models: readonly Model[];
  view: ModelView;
  onViewChanged: (view: ModelView) => void;
}

export function ModelFilterBar({ models, view, onViewChanged }: ModelFilterBarProps) {
  const { t } = useTranslation();
  const unit = usePriceUnit();
  const providers = new Map(models.map((model) => [model.provider, model.provider_title]));
  return (
    <div
      role="search"
      aria-label={t("models.filters.label")}
      className="grid items-center gap-3 sm:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_13rem_13rem_auto]"
    >
      <SearchBox
        label={t("models.filters.search")}
        value={view.q}
        onValueChanged={(q) => onViewChanged({ ...view, q })}
      />
      <Select
        aria-label={t("models.filters.provider")}
        value={view.provider ?? ALL}
        options={[
          { value: ALL, label: t("models.filters.allProviders") },
          ...Array.from(providers, ([value, label]) => ({ value, label })),
        ]}
        onValueChanged={(value) =>
          onViewChanged({ ...view, provider: value === ALL ? undefined : value })
        }
      />
      <Select
        aria-label={t("models.filters.sort")}
        value={view.sort ?? "name"}
        options={SORTS.map((sort) => ({ value: sort, label: t(`models.sorts.${sort}`) }))}
        onValueChanged={(sort) =>
          onViewChanged({ ...view, sort: sort === "name" ? undefined : sort })
        }
      />
      <div className="justify-self-start xl:justify-self-end">
        <Segmented
          label={t("models.prices.unit")}
          value={unit}
          options={[
            { value: "million", label: t("models.prices.perMillion") },
            { value: "thousand", label: t("models.prices.perThousand") },
          ]}
          onValueChanged={setPriceUnit}
        />
      </div>
    </div>
  );
}
