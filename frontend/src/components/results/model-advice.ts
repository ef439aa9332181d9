import type { ModelChoice } from "@/api/types";
import { formatPercent } from "@/lib/format";

/** A model that advice is about. */
export interface AdvisedModel {
  key: string;
  label: string;
  answer_usd: string | null;
}

const labelOf = (key: string | null, models: readonly AdvisedModel[]) =>
  models.find((model) => model.key === key)?.label ?? null;

export interface AdviceNames {
  /** The answer; null when the data cannot tell. */
  name: string | null;
  /** Best by the figures alone; empty when unknown. */
  leading: string;
  /** Models that the evidence does not separate from it. */
  others: string;
}

export function adviceNames(
  { key, leading, undecided }: ModelChoice,
  models: readonly AdvisedModel[],
): AdviceNames {
  return {
    name: labelOf(key, models),
    leading: labelOf(leading, models) ?? "",
    others: undecided.flatMap((other) => labelOf(other, models) ?? []).join(", "),
  };
}

/** How much less the answer of the named model costs than that of the leading one: "84%". */
export function cheaperBy({ key, leading }: ModelChoice, models: readonly AdvisedModel[]): string {
  const cost = (wanted: string | null) => {
    const amount = models.find((model) => model.key === wanted)?.answer_usd ?? null;
    return amount === null ? null : Number(amount);
  };
  const [cheap, dear] = [cost(key), cost(leading)];
  return cheap === null || dear === null || dear === 0 ? "" : formatPercent(1 - cheap / dear);
}
