import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { changeOutOfTen, formatScore } from "@/components/score-scale";
import { formatDuration, formatUsd } from "@/lib/format";
import type { SettingRow } from "../setting-rows";
import { useModelChoiceSentence } from "../model-choice-card";
import { heldOutWords, useGateSentence } from "../verdict-card";

function secondsOf({ started_at: start, ended_at: end }: Optimization): string | null {
  return start === null || end === null
    ? null
    : formatDuration((Date.parse(end) - Date.parse(start)) / 1000);
}

/** State, verdict, scores, effort and cost of an optimization as rows of texts. */
export function useResultRows() {
  const { t } = useTranslation();
  const sentence = useGateSentence();
  const modelSentence = useModelChoiceSentence();
  return (optimization: Optimization): SettingRow[] => {
    const { candidate_list: candidates, progress, gate, outcome, stop_reason: stop } = optimization;
    const base = candidates[0]?.mean ?? null;
    const best = progress.at(-1);
    const rows: [key: string, value: string | null][] = [
      ["state", t(`optimizations.states.${optimization.state}`)],
      [
        "verdict",
        gate !== null
          ? sentence(optimization.finalist, gate)
          : outcome === null
            ? null
            : t(`optimizations.ends.${outcome}`),
      ],
      ["heldOut", gate === null ? null : heldOutWords(gate)],
      [
        "model",
        optimization.model_choice === null ? null : modelSentence(optimization.model_choice),
      ],
      ["trainGain", gate?.train_gain == null ? null : changeOutOfTen(gate.train_gain)],
      ["base", base === null ? null : formatScore(base)],
      ["best", best?.mean == null ? null : formatScore(best.mean)],
      ["generations", String(optimization.generation)],
      ["candidates", String(candidates.length)],
      ["stop", stop === null ? null : t(`optimizations.stops.${stop}`)],
      ["cost", formatUsd(optimization.cost_usd)],
      ["time", secondsOf(optimization)],
    ];
    return rows.map(([key, value]) => ({
      key,
      label: t(`optimizations.compare.labels.${key as "state"}`),
      values: value === null ? [] : [value],
    }));
  };
}
