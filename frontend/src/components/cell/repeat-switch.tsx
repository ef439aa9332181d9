import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { caseQuery } from "@/api/run-rows";
import type { Cell, OutputDetail, RunDetail } from "@/api/types";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";

const MOST_BUTTONS = 8;
/** Shows all repeats, one below the other, instead of one answer. */
export const ALL = "all";

/** Answers of the same variant to a case that was repeated; empty without repeats. */
export function useRepeats(
  slug: string,
  run: RunDetail,
  output: OutputDetail | undefined,
): readonly Cell[] {
  const row = useQuery({
    ...caseQuery({ slug, runId: run.id }, output?.case_position ?? 0),
    enabled: run.repeats > 1 && output !== undefined,
  }).data;
  const answers = (row?.cells ?? [])
    .filter(({ variant_position }) => variant_position === output?.variant_position)
    .sort((one, other) => one.repeat - other.repeat);
  return answers.length < 2 ? [] : answers;
}

export interface RepeatSwitchProps {
  answers: readonly Cell[];
  /** Output id, or ALL. */
  shown: string;
  onShownChanged: (shown: string) => void;
}

export function RepeatSwitch({ answers, shown, onShownChanged }: RepeatSwitchProps) {
  const { t } = useTranslation();
  if (answers.length === 0) {
    return null;
  }
  const isShort = answers.length <= MOST_BUTTONS;
  const label = t("cell.repeat.label", { count: answers.length });
  const options = [
    ...answers.map(({ id, repeat }) => ({
      value: id,
      label: isShort ? String(repeat + 1) : t("cell.repeat.one", { number: repeat + 1 }),
    })),
    { value: ALL, label: t("cell.repeat.all") },
  ];
  const choice = { value: shown, options, onValueChanged: onShownChanged };
  return isShort ? (
    <span className="flex items-center gap-2 text-xs text-ink-muted">
      {t("cell.repeat.short")}
      <Segmented {...choice} label={label} />
    </span>
  ) : (
    <Select {...choice} size="sm" aria-label={label} />
  );
}
