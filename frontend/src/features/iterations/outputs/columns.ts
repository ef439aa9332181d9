import type { Experiment, Iteration } from "@/api/types";

export const MOST_COLUMNS = 4;

/** A column: a variant of this iteration, or of another one on the same cases. */
export interface ColumnChoice {
  key: string;
  runId: string;
  /** Position of the variant in its run. */
  variant: number;
  label: string;
  iteration: number;
  isCurrent: boolean;
}

type Numbered = Pick<
  Iteration,
  "id" | "number" | "run_id" | "holdout_run_id" | "version_label" | "metrics"
>;

function choicesOf(
  iteration: Numbered,
  labels: readonly string[],
  isHoldout: boolean,
  isCurrent: boolean,
): ColumnChoice[] {
  const runId = isHoldout ? iteration.holdout_run_id : iteration.run_id;
  return runId === null
    ? []
    : labels.map((label, variant) => ({
        key: isCurrent ? String(variant) : `${runId}.${variant}`,
        runId,
        variant,
        label,
        iteration: iteration.number,
        isCurrent,
      }));
}

/** Variants of this iteration first, then those of others, the latest first. */
export function columnChoices(
  iteration: Iteration,
  experiment: Experiment | undefined,
  isHoldout: boolean,
): ColumnChoice[] {
  const own = (iteration.metrics?.variants ?? iteration.progress?.variants ?? []).map(
    ({ label }) => label,
  );
  const others = (experiment?.iterations ?? [])
    .filter(({ id, metrics }) => id !== iteration.id && metrics !== null)
    .sort((one, other) => other.number - one.number);
  return [
    ...choicesOf(iteration, own, isHoldout, true),
    ...others.flatMap((other) =>
      choicesOf(
        other,
        (other.metrics?.variants ?? []).map(({ label }) => label),
        isHoldout,
        false,
      ),
    ),
  ];
}

/**
 * The chosen columns that still exist; by default the variants of this iteration, or the first two
 * columns when it has only one.
 */
export function chosenColumns(
  choices: readonly ColumnChoice[],
  wanted: string | undefined,
): ColumnChoice[] {
  const named = (wanted?.split(",") ?? []).flatMap(
    (key) => choices.find((choice) => choice.key === key) ?? [],
  );
  if (named.length > 0) {
    return named.slice(0, MOST_COLUMNS);
  }
  const own = choices.filter(({ isCurrent }) => isCurrent);
  return own.length > 1 ? own.slice(0, MOST_COLUMNS) : choices.slice(0, 2);
}
