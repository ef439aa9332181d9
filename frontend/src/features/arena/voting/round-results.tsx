import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { VotingResults } from "@/api/arena";
import { ProblemState } from "@/components/problem-state";
import { Kpi } from "@/components/results/kpi";
import { Section } from "@/components/results/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatNumber, formatPercent } from "@/lib/format";
import { resultsQuery } from "./queries";

type VotedModel = VotingResults["models"][number];
type Voter = VotingResults["voters"][number];

const LINK = "rounded-sm text-accent-ink hover:underline";
const whole = (points: number) => formatNumber(Math.round(points));
const share = (value: number | null) => (value === null ? <Unknown /> : formatPercent(value));

function useModelColumns(): Column<VotedModel>[] {
  const { t } = useTranslation();
  return [
    {
      key: "model",
      header: t("arena.columns.model"),
      primary: true,
      cell: ({ label, model_name: name }) => (
        <span className="grid">
          <span className="font-medium wrap-anywhere">{name}</span>
          {label === name ? null : (
            <span className="text-xs wrap-anywhere text-ink-muted">{label}</span>
          )}
        </span>
      ),
    },
    {
      key: "rating",
      header: t("voting.results.rating"),
      align: "right",
      cell: ({ points, low, high }) => (
        <span className="whitespace-nowrap tabular-nums">
          <span className="font-semibold">{whole(points)}</span>
          {low === null || high === null ? null : (
            <span className="text-ink-muted">
              {" "}
              ({t("arena.interval", { low: whole(low), high: whole(high) })})
            </span>
          )}
        </span>
      ),
    },
    ...(["wins", "losses", "ties"] as const).map((key): Column<VotedModel> => ({
      key,
      header: t(`voting.results.${key}`),
      align: "right",
      cell: (model) => <span className="tabular-nums">{formatNumber(model[key])}</span>,
    })),
  ];
}

function useVoterColumns(): Column<Voter>[] {
  const { t } = useTranslation();
  return [
    {
      key: "name",
      header: t("voting.results.person"),
      primary: true,
      cell: ({ name }) => name ?? t("voting.results.deleted"),
    },
    {
      key: "votes",
      header: t("voting.results.votes"),
      align: "right",
      cell: ({ votes }) => formatNumber(votes),
    },
    {
      key: "consistency",
      header: t("voting.results.consistency"),
      align: "right",
      cell: ({ consistency }) => share(consistency),
    },
  ];
}

function Figures({ results }: { results: VotingResults }) {
  const { t } = useTranslation();
  const { consistency, judge_agreement: agreement, first_advantage: first } = results;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Kpi
        label={t("voting.results.consistency")}
        value={share(consistency)}
        note={t("voting.results.consistencyHint")}
      />
      <Kpi
        label={t("voting.results.agreement")}
        value={share(agreement)}
        note={
          results.judged_count === 0
            ? t("voting.results.noJudges")
            : t("voting.results.agreementHint", { count: results.judged_count })
        }
      />
      <Kpi
        label={t("voting.results.position")}
        value={first === null ? <Unknown /> : whole(first)}
        note={t("voting.results.positionHint")}
      />
    </div>
  );
}

/** The revealed models of a closed round. */
export function RoundResults({ slug, roundId }: { slug: string; roundId: string }) {
  const { t } = useTranslation();
  const results = useQuery(resultsQuery(slug, roundId));
  const models = useModelColumns();
  const voters = useVoterColumns();
  if (results.isError) {
    return (
      <ProblemState
        error={results.error}
        retrying={results.isFetching}
        onRetry={() => void results.refetch()}
      />
    );
  }
  if (results.data === undefined) {
    return <TableSkeleton rows={3} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <Section
        title={t("voting.results.models")}
        hint={t("voting.results.ratingHint")}
        actions={
          <span className="flex gap-4 text-sm">
            <Link
              to="/p/$slug/runs/$runId"
              params={{ slug, runId: results.data.run_id }}
              className={LINK}
            >
              {t("voting.results.openRun")}
            </Link>
            <Link to="/p/$slug/arena" params={{ slug }} className={LINK}>
              {t("voting.results.openBoard")}
            </Link>
          </span>
        }
      >
        <Table
          caption={t("voting.results.models")}
          columns={models}
          rows={results.data.models.toSorted((one, other) => other.points - one.points)}
          rowKey={({ variant }) => String(variant)}
        />
      </Section>
      <Figures results={results.data} />
      <Section title={t("voting.results.voters")}>
        <Table
          caption={t("voting.results.voters")}
          columns={voters}
          rows={results.data.voters}
          rowKey={({ user_id: id, name }) => id ?? name ?? ""}
        />
      </Section>
    </div>
  );
}
