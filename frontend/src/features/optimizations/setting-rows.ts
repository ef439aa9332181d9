import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import { strategyKindsQuery } from "@/api/strategies";
import type { Optimization } from "@/api/types";
import { formatScore, outOfTen } from "@/components/score-scale";
import { formatNumber, formatUsd } from "@/lib/format";

export interface SettingRow {
  key: string;
  label: string;
  /** One text per line. */
  values: string[];
}

/** Names of models and scorers, and titles of options, which the configuration has as keys. */
function useNames(slug: string) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug)).data;
  const saved = useQuery(savedScorersQuery(slug)).data ?? [];
  const kinds = useQuery(scorerKindsQuery(slug)).data ?? [];
  const strategies = useQuery(strategyKindsQuery(slug)).data ?? [];
  const modelOf = (id: unknown) =>
    models === undefined
      ? "…"
      : (models.find((model) => model.id === id)?.display_name ??
        t("optimizations.settings.removed"));
  return {
    modelOf,
    scorerOf: ({
      label,
      kind,
      scorer_version_id: versionId,
      weight,
    }: Optimization["config"]["scorers"][number]) => {
      const name =
        label ??
        saved.find(({ latest }) => latest.id === versionId)?.name ??
        kinds.find((each) => each.kind === kind)?.title ??
        kind ??
        t("optimizations.settings.saved");
      return weight === 0 ? t("optimizations.settings.safety", { name }) : name;
    },
    optionsOf: (strategy: Optimization["config"]["strategy"]) => {
      const { kind, options = {} } = strategy ?? {};
      const schema = strategies.find((each) => each.kind === kind)?.search_schema ?? {};
      const fields = (schema.properties ?? {}) as Record<string, { title?: string }>;
      return Object.entries(options)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => {
          const title = fields[name]?.title ?? name;
          return `${title}: ${name === "model_id" ? modelOf(value) : String(value)}`;
        });
    },
  };
}

function parametersOf(parameters: object | null | undefined): string {
  const set = Object.entries(parameters ?? {}).filter(([, value]) => value !== null);
  const words = set.map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`);
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

/** The settings of an optimization as rows of texts. */
export function useSettingRows(slug: string) {
  const { t } = useTranslation();
  const { modelOf, scorerOf, optionsOf } = useNames(slug);
  return (optimization: Optimization): SettingRow[] => {
    const { config, prompt, dataset } = optimization;
    const target = config.target_score ?? null;
    const rows: [key: string, values: string[]][] = [
      ["prompt", [`${prompt.name} ${optimization.version_label}`]],
      ["dataset", [dataset?.name ?? t("optimizations.settings.removed")]],
      [
        "cases",
        optimization.train_cases === null || optimization.holdout_cases === null
          ? [t("optimizations.settings.atStart")]
          : [
              t("optimizations.settings.split", {
                train: formatNumber(optimization.train_cases),
                holdout: formatNumber(optimization.holdout_cases),
              }),
            ],
      ],
      ["goal", config.goal === "" ? [] : [config.goal]],
      [
        "models",
        config.models.map(
          ({ model_id: id, parameters }) => `${modelOf(id)}${parametersOf(parameters)}`,
        ),
      ],
      ["cheaper", (config.cheaper_models ?? []).map(({ model_id: id }) => modelOf(id))],
      ["scorers", config.scorers.map(scorerOf)],
      ["strategy", [optimization.strategy, ...optionsOf(config.strategy)]],
      [
        "stop",
        [
          t("optimizations.settings.stopRule", {
            count: config.generations,
            patience: config.patience,
          }),
          ...(target === null
            ? []
            : [t("optimizations.settings.target", { score: formatScore(target) })]),
        ],
      ],
      ["gain", [t("optimizations.settings.leastGain", { gain: outOfTen(config.min_gain) })]],
      ["budget", [formatUsd(config.budget_usd)]],
      ["seed", [String(optimization.seed)]],
    ];
    return rows
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => ({
        key,
        label: t(`optimizations.settings.labels.${key as "prompt"}`),
        values,
      }));
  };
}
