import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Optimization, OptimizationRound } from "@/api/types";
import { Section } from "@/components/results/section";
import { Table } from "@/components/ui/table";
import { formatCost } from "@/lib/format";

function useRoundName() {
  const { t } = useTranslation();
  return ({ kind, generation, stage }: OptimizationRound) => {
    if (kind === "gate") {
      return t("optimizations.rounds.test");
    }
    if (generation === 0) {
      return t("optimizations.baseline");
    }
    const name = t("optimizations.generation", { number: generation });
    return stage > 1 ? t("optimizations.rounds.stage", { name, stage }) : name;
  };
}

/** The rounds with links to their runs. */
export function RoundTable({ slug, rounds }: { slug: string } & Pick<Optimization, "rounds">) {
  const { t } = useTranslation();
  const nameOf = useRoundName();
  if (rounds.length === 0) {
    return null;
  }
  return (
    <Section title={t("optimizations.rounds.title")} hint={t("optimizations.rounds.hint")}>
      <Table
        caption={t("optimizations.rounds.title")}
        rows={rounds}
        rowKey={({ number }) => String(number)}
        columns={[
          {
            key: "round",
            header: t("optimizations.rounds.round"),
            primary: true,
            cell: (round) =>
              round.run_id === null ? (
                nameOf(round)
              ) : (
                <Link
                  to="/p/$slug/runs/$runId"
                  params={{ slug, runId: round.run_id }}
                  className="rounded-sm text-accent-ink hover:underline"
                >
                  {nameOf(round)}
                </Link>
              ),
          },
          {
            key: "candidates",
            header: t("optimizations.rounds.candidates"),
            cell: ({ candidates }) => <span className="tabular-nums">{candidates.join(", ")}</span>,
          },
          {
            key: "cases",
            header: t("optimizations.rounds.cases"),
            align: "right",
            cell: ({ cases }) => <span className="tabular-nums">{cases}</span>,
          },
          {
            key: "cost",
            header: t("optimizations.columns.cost"),
            align: "right",
            cell: ({ cost_usd: cost }) => <span className="tabular-nums">{formatCost(cost)}</span>,
          },
        ]}
      />
    </Section>
  );
}
