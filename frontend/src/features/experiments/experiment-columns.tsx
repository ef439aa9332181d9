import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { SimulatedBadge } from "@/components/simulated-badge";
import type { Column } from "@/components/ui/table";
import { BestScore } from "./best-score";
import { BudgetUse } from "./budget-use";
import { StateBadge } from "./state-badge";

const EXPERIMENT = "/p/$slug/experiments/$experimentId";

function State({ slug, experiment }: { slug: string; experiment: ExperimentSummary }) {
  const { t } = useTranslation();
  return (
    <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
      <StateBadge state={experiment.state} />
      {experiment.waiting_suggestions === 0 ? null : (
        <Link
          to="/p/$slug/reviews"
          params={{ slug }}
          search={{ experiment: experiment.id }}
          className="rounded-sm text-xs whitespace-nowrap text-accent-ink hover:underline"
        >
          {t("experiments.waiting", { count: experiment.waiting_suggestions })}
        </Link>
      )}
    </span>
  );
}

function Iterations({ experiment }: { experiment: ExperimentSummary }) {
  const { t } = useTranslation();
  return (
    <span className="whitespace-nowrap tabular-nums">
      {t("experiments.iterationsOf", {
        done: experiment.iteration_count,
        most: experiment.max_iterations,
      })}
    </span>
  );
}

export function useExperimentColumns(slug: string): Column<ExperimentSummary>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<ExperimentSummary>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id, state }) => ({
        to: state === "draft" ? `${EXPERIMENT}/setup` : EXPERIMENT,
        params: { slug, experimentId: id },
      }),
      badge: ({ is_simulated }) => (is_simulated ? <SimulatedBadge /> : null),
      note: ({ goal }) => (goal === "" ? t("experiments.noGoal") : goal),
    }),
    {
      key: "state",
      header: t("experiments.columns.state"),
      cell: (experiment) => <State slug={slug} experiment={experiment} />,
    },
    {
      key: "best",
      header: t("experiments.columns.best"),
      cell: (experiment) => <BestScore experiment={experiment} />,
    },
    {
      key: "iterations",
      header: t("experiments.columns.iterations"),
      cell: (experiment) => <Iterations experiment={experiment} />,
    },
    {
      key: "cost",
      header: t("experiments.columns.cost"),
      cell: (experiment) => <BudgetUse experiment={experiment} />,
    },
    columns.time("updated", t("experiments.columns.updated"), ({ updated_at }) => updated_at),
  ];
}
