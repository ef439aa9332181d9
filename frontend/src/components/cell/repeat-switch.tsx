import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { caseQuery } from "@/api/run-rows";
import type { OutputDetail, RunDetail } from "@/api/types";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";

const MOST_BUTTONS = 8;

export interface RepeatSwitchProps {
  slug: string;
  run: RunDetail;
  output: OutputDetail;
  onOutputChanged: (outputId: string) => void;
}

/** Where a case was asked several times: the other answers of the same variant to it. */
export function RepeatSwitch({ slug, run, output, onOutputChanged }: RepeatSwitchProps) {
  const { t } = useTranslation();
  const row = useQuery({
    ...caseQuery({ slug, runId: run.id }, output.case_position),
    enabled: run.repeats > 1,
  }).data;
  const answers = (row?.cells ?? [])
    .filter(({ variant_position }) => variant_position === output.variant_position)
    .sort((one, other) => one.repeat - other.repeat);
  if (answers.length < 2) {
    return null;
  }
  const isShort = answers.length <= MOST_BUTTONS;
  const label = t("cell.repeat.label", { count: run.repeats });
  const options = answers.map(({ id, repeat }) => ({
    value: id,
    label: isShort ? String(repeat + 1) : t("cell.repeat.one", { number: repeat + 1 }),
  }));
  const choice = { value: output.id, options, onValueChanged: onOutputChanged };
  return isShort ? (
    <span className="flex items-center gap-2 text-xs text-ink-muted">
      {t("cell.repeat.short")}
      <Segmented {...choice} label={label} />
    </span>
  ) : (
    <Select {...choice} aria-label={label} />
  );
}
