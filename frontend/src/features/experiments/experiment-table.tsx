import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ExperimentSummary } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { BestScore } from "./best-score";
import { BudgetUse } from "./budget-use";
import { ExperimentMenu, type ExperimentCommand } from "./experiment-menu";
import { ArchivedBadge, StateBadge } from "./state-badge";

function ExperimentName({ slug, experiment }: { slug: string; experiment: ExperimentSummary }) {
  const { t } = useTranslation();
  const isDraft = experiment.state === "draft";
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          to={
            isDraft
              ? "/p/$slug/experiments/$experimentId/setup"
              : "/p/$slug/experiments/$experimentId"
          }
          params={{ slug, experimentId: experiment.id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent-ink hover:underline"
        >
          {experiment.name}
        </Link>
        {experiment.is_simulated ? <SimulatedBadge /> : null}
        {experiment.archived_at === null ? null : <ArchivedBadge />}
      </span>
      {experiment.goal === "" ? (
        <span className="text-xs text-ink-subtle">{t("experiments.noGoal")}</span>
      ) : (
        <span className="line-clamp-2 max-w-prose text-xs text-ink-muted">{experiment.goal}</span>
      )}
    </span>
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

export interface ExperimentTableProps {
  slug: string;
  experiments: readonly ExperimentSummary[];
  editable: boolean;
  onCommand: (command: ExperimentCommand, experiment: ExperimentSummary) => void;
}

export function ExperimentTable(props: ExperimentTableProps) {
  const { slug, experiments, editable, onCommand } = props;
  const { t } = useTranslation();
  const columns: Column<ExperimentSummary>[] = [
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
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (experiment) => (
        <ExperimentMenu
          experiment={experiment}
          editable={editable}
          onCommand={(command) => onCommand(command, experiment)}
        />
      ),
    },
  ];
  return (
    <Table
      caption={t("experiments.title")}
      columns={columns}
      rows={experiments}
      rowKey={(experiment) => experiment.id}
    />
  );
}
