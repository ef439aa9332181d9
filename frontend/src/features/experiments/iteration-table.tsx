import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Experiment, IterationSummary, TrainingChange, VariantComparison } from "@/api/types";
import { IterationBadge } from "@/components/iteration-badge";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { useEvidence, VerdictChip } from "@/components/results/verdict";
import { changeOutOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Table, type Column } from "@/components/ui/table";
import { formatCost } from "@/lib/format";
import { activityQuery } from "./queries";
import { decisionOf } from "./situation";

function Change({ change }: { change: TrainingChange | null }) {
  const { t } = useTranslation();
  if (change?.difference.value == null) {
    return <span className="text-ink-subtle">{t("experiments.timeline.noChange")}</span>;
  }
  return (
    <span className="tabular-nums" title={change.note}>
      {changeOutOfTen(change.difference.value)}
    </span>
  );
}

/** The test of the version against the first one on held-out cases. */
function Tested({ change }: { change: VariantComparison | null }) {
  const { t } = useTranslation();
  const evidence = useEvidence();
  if (change?.difference.value == null) {
    return <span className="text-ink-subtle">{t("experiments.timeline.notTested")}</span>;
  }
  return (
    <span
      className="flex flex-wrap items-center gap-1.5 max-lg:justify-end"
      title={evidence(change)}
    >
      <span className="tabular-nums">{changeOutOfTen(change.difference.value)}</span>
      <VerdictChip verdict={change.verdict} />
    </span>
  );
}

function Decision({ slug, iteration }: { slug: string; iteration: IterationSummary }) {
  const { t } = useTranslation();
  const decision = decisionOf(iteration);
  const shown = iteration.suggestions.find(({ state }) => state === decision);
  const words = t(`experiments.timeline.decisions.${decision}`);
  const activity = useQuery(activityQuery(slug, iteration.experiment_id)).data;
  const noted = activity?.entries.find(
    (each) => each.kind === decision && each.suggestion_id === shown?.id,
  );
  if (shown === undefined) {
    return <span className="text-ink-muted">{words}</span>;
  }
  return (
    <span className="grid justify-items-start gap-0.5 max-lg:justify-items-end">
      <Link
        to="/p/$slug/reviews/$suggestionId"
        params={{ slug, suggestionId: shown.id }}
        className="rounded-sm hover:text-accent-ink hover:underline"
      >
        {words}
      </Link>
      {noted === undefined ? null : (
        <span className="text-xs wrap-anywhere text-ink-muted">
          {t("experiments.timeline.by", { who: noted.actor ?? t("experiments.activity.edison") })}
        </span>
      )}
    </span>
  );
}

function Name({
  slug,
  experiment,
  row,
}: {
  slug: string;
  experiment: Experiment;
  row: IterationSummary;
}) {
  const { t } = useTranslation();
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/p/$slug/experiments/$experimentId/iterations/$iterationId"
          params={{ slug, experimentId: experiment.id, iterationId: row.id }}
          className="rounded-sm font-medium whitespace-nowrap hover:text-accent-ink hover:underline"
        >
          {t("experiments.timeline.number", { number: row.number })}
        </Link>
        <code className="text-xs text-ink-muted">{row.version_label}</code>
        {experiment.best?.iteration === row.number ? (
          <Badge tone="success">{t("experiments.best.badge")}</Badge>
        ) : null}
      </span>
      {row.message === null ? null : (
        <span className="line-clamp-2 max-w-prose text-xs text-ink-muted" title={row.message}>
          {row.message}
        </span>
      )}
    </span>
  );
}

export function IterationTable({ slug, experiment }: { slug: string; experiment: Experiment }) {
  const { t } = useTranslation();
  const none = <span className="text-ink-subtle">{t("experiments.noScore")}</span>;
  const hasHoldout = experiment.iterations.some(({ metrics }) => metrics?.holdout != null);
  const columns: Column<IterationSummary>[] = [
    {
      key: "iteration",
      primary: true,
      header: t("experiments.timeline.iteration"),
      cell: (row) => <Name slug={slug} experiment={experiment} row={row} />,
    },
    {
      key: "state",
      header: t("experiments.columns.state"),
      cell: (row) => <IterationBadge state={row.state} />,
    },
    {
      key: "train",
      header: t("experiments.timeline.train"),
      cell: ({ metrics }) => (metrics === null ? none : <IntervalBar mean={metrics.train} />),
    },
    {
      key: "holdout",
      header: t("experiments.timeline.holdout"),
      cell: ({ metrics }) =>
        metrics?.holdout == null ? none : <IntervalBar mean={metrics.holdout} />,
    },
    {
      key: "change",
      header: t("experiments.timeline.change"),
      cell: ({ metrics }) => <Change change={metrics?.change ?? null} />,
    },
    {
      key: "test",
      header: t("experiments.timeline.test"),
      cell: ({ metrics }) => <Tested change={metrics?.against_first ?? null} />,
    },
    {
      key: "cost",
      header: t("experiments.timeline.cost"),
      align: "right",
      cell: ({ cost }) => <span className="tabular-nums">{formatCost(cost.total_usd)}</span>,
    },
    {
      key: "decision",
      header: t("experiments.timeline.decision"),
      cell: (row) => <Decision slug={slug} iteration={row} />,
    },
  ];
  return (
    <Section title={t("experiments.timeline.title")} hint={t("experiments.timeline.hint")}>
      <Table
        caption={t("experiments.timeline.title")}
        columns={
          hasHoldout ? columns : columns.filter(({ key }) => key !== "holdout" && key !== "test")
        }
        rows={experiment.iterations.toReversed()}
        rowKey={(row) => row.id}
      />
    </Section>
  );
}
