import { useTranslation } from "react-i18next";
import type { OptimizationSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { changeOutOfTen } from "@/components/score-scale";
import type { Column } from "@/components/ui/table";
import { formatUsd } from "@/lib/format";
import { StateBadge } from "./state-badge";

/** The outcome, with the gain on held-out cases if there was a test. */
function Result({ outcome, gate }: Pick<OptimizationSummary, "outcome" | "gate">) {
  const { t } = useTranslation();
  if (outcome === null) {
    return "—";
  }
  return (
    <span className="grid">
      <span>{t(`optimizations.outcomes.${outcome}`)}</span>
      {gate?.difference == null ? null : (
        <span className="text-xs text-ink-muted tabular-nums">
          {t("optimizations.heldOutChange", { change: changeOutOfTen(gate.difference) })}
        </span>
      )}
    </span>
  );
}

export function useOptimizationColumns(slug: string): Column<OptimizationSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<OptimizationSummary>();
  return [
    columns.name({
      className: "lg:w-1/3",
      link: ({ id }) => ({
        to: "/p/$slug/optimizations/$optimizationId",
        params: { slug, optimizationId: id },
      }),
      note: ({ prompt, version_label: version, strategy }) =>
        t("optimizations.improves", { prompt: prompt.name, version, strategy }),
    }),
    {
      key: "state",
      header: t("optimizations.columns.state"),
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      key: "generation",
      header: t("optimizations.columns.generation"),
      cell: ({ generation, generations }) => (
        <span className="whitespace-nowrap tabular-nums">
          {t("optimizations.of", { done: generation, planned: generations })}
        </span>
      ),
    },
    {
      key: "result",
      header: t("optimizations.columns.result"),
      cell: (row) => <Result {...row} />,
    },
    {
      key: "cost",
      header: t("optimizations.columns.cost"),
      cell: ({ cost_usd: cost }) => <span className="tabular-nums">{formatUsd(cost)}</span>,
    },
    columns.time("updated", t("optimizations.columns.updated"), ({ updated_at }) => updated_at),
  ];
}
