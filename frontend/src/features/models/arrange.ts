import type { Model, ModelPrices } from "@/api/types";
import { findModels } from "@/components/model-chooser/find-models";
import { locale } from "@/lib/locale";

export const SORTS = ["name", "cheapest", "dearest", "context", "newest"] as const;
export type ModelSort = (typeof SORTS)[number];

/** Search parameters of the table. */
export interface ModelView {
  q?: string | undefined;
  provider?: string | undefined;
  sort?: ModelSort | undefined;
}

/** Mean of input and output price; null while unknown. */
export function meanPrice(prices: ModelPrices): number | null {
  const { input_usd_per_million: input, output_usd_per_million: output } = prices;
  return input === null || output === null ? null : (Number(input) + Number(output)) / 2;
}

function byName(one: Model, other: Model): number {
  return one.display_name.localeCompare(other.display_name, locale, { numeric: true });
}

/** Ascending; unknown values come last in either direction. */
function byNumber(
  measure: (model: Model) => number | null,
  direction: 1 | -1,
): (one: Model, other: Model) => number {
  return (one, other) => {
    const [a, b] = [measure(one), measure(other)];
    if (a === null || b === null) {
      return Number(a === null) - Number(b === null);
    }
    return (a - b) * direction;
  };
}

const ORDERS: Record<ModelSort, (one: Model, other: Model) => number> = {
  name: byName,
  cheapest: byNumber((model) => meanPrice(model.prices), 1),
  dearest: byNumber((model) => meanPrice(model.prices), -1),
  context: byNumber((model) => model.context_window, -1),
  newest: byNumber((model) => Date.parse(model.created_at), -1),
};

/** Filters and sorts the models. */
export function filterAndSort(models: readonly Model[], view: ModelView): Model[] {
  const order = ORDERS[view.sort ?? "name"];
  return findModels(models, { q: view.q ?? "", provider: view.provider ?? null }).sort(
    (one, other) => order(one, other) || byName(one, other),
  );
}
