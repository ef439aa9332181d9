import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { NAME_LINK, ResourceName } from "@/components/listing/resource-name";
import { SimulatedBadge } from "@/components/simulated-badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";
import { BestScore } from "./best-score";
import { BudgetUse } from "./budget-use";
import { StateBadge } from "./state-badge";

function ExperimentName({ slug, experiment }: { slug: string; experiment: ExperimentSummary }) {
  const { t } = useTranslation();
  const { id, name, goal, state, archived_at, is_simulated } = experiment;
  const path = "/p/$slug/experiments/$experimentId";
  return (
    <ResourceName
      isArchived={archived_at !== null}
      note={goal === "" ? t("experiments.noGoal") : goal}
    >
      <Link
        to={state === "draft" ? `${path}/setup` : path}
        params={{ slug, experimentId: id }}
        className={NAME_LINK}
      >
        {name}
      </Link>
      {is_simulated ? <SimulatedBadge /> : null}
    </ResourceName>
  );
}

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
  return [
    {
      key: "name",
      primary: true,
      header: t("fields.name"),
      className: "lg:w-2/5",
      cell: (experiment) => <ExperimentName slug={slug} experiment={experiment} />,
    },
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
    {
      key: "updated",
      header: t("experiments.columns.updated"),
      align: "right",
      cell: (experiment) => (
        <RelativeTime iso={experiment.updated_at} className="whitespace-nowrap text-ink-muted" />
      ),
    },
  ];
}
