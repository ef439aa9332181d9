import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleStop } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Optimization, Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { CommandMenu } from "@/components/ui/command-menu";
import { DownloadMenu } from "@/components/ui/download-menu";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ActivityCard } from "./activity-card";
import { CandidateDrawer } from "./candidate-drawer";
import { CandidateTable } from "./candidate-table";
import { CostScatter } from "./cost-scatter";
import { LineageCard } from "./lineage-card";
import { ModelChoiceCard } from "./model-choice-card";
import { MoneyCard } from "./money-card";
import { isActive } from "./optimization-view";
import { ProgressChart } from "./progress-chart";
import { optimizationQuery, reportAddress } from "./queries";
import { RoundTable } from "./round-table";
import { SettingsCard } from "./settings-card";
import { SituationCard } from "./situation-card";
import { StateBadge } from "./state-badge";
import {
  MOVE_ICONS,
  moveOf,
  useMove,
  useOptimizationCommands,
  type OptimizationEvents,
} from "./use-optimization-commands";
import { VerdictCard } from "./verdict-card";

export interface OptimizationPageProps extends OptimizationEvents {
  project: Project;
  optimizationId: string;
  /** Number of the open candidate. */
  candidate: number | undefined;
  onCandidateChanged: (number: number | undefined) => void;
  onLeft: () => void;
}

interface LoadedProps extends OptimizationPageProps {
  optimization: Optimization;
}

function Description({ slug, optimization }: { slug: string; optimization: Optimization }) {
  const { t } = useTranslation();
  const { prompt, version_label: version, strategy } = optimization;
  const words = t("optimizations.improves", { prompt: prompt.name, version, strategy });
  return prompt.id === null ? (
    words
  ) : (
    <Link
      to="/p/$slug/prompts/$promptId"
      params={{ slug, promptId: prompt.id }}
      className="rounded-sm hover:text-accent-ink hover:underline"
    >
      {words}
    </Link>
  );
}

function Actions(props: LoadedProps) {
  const { project, optimization } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const { move, pending } = useMove(slug);
  const { commandsOf, cancel, dialog } = useOptimizationCommands(slug, props, props.onLeft);
  const editable = can(project.role, "optimizations.edit") && project.archived_at === null;
  const next = editable ? moveOf(optimization) : null;
  const Icon = next === null ? null : MOVE_ICONS[next];
  return (
    <>
      {next === null || Icon === null ? null : (
        <Button
          variant={next === "pause" ? "secondary" : "primary"}
          loading={pending !== null}
          onClick={() => move(optimization, next)}
        >
          <Icon aria-hidden />
          {t(`optimizations.moves.${next}`)}
        </Button>
      )}
      {editable && isActive(optimization.state) ? (
        <Button variant="secondary" onClick={() => cancel(optimization)}>
          <CircleStop aria-hidden />
          {t("optimizations.cancel.action")}
        </Button>
      ) : null}
      {optimization.rounds.length === 0 ? null : (
        <DownloadMenu
          label={t("optimizations.report.action")}
          files={(["pdf", "md"] as const).map((format) => ({
            label: t(`optimizations.report.${format}`),
            address: reportAddress(slug, optimization.id, format),
          }))}
        />
      )}
      <CommandMenu
        place="head"
        label={t("lists.menu", { name: optimization.name })}
        commands={commandsOf(optimization, { editable, place: "page" })}
      />
      {dialog}
    </>
  );
}

function LoadedOptimization(props: LoadedProps) {
  const { project, optimization, candidate } = props;
  const { slug } = project;
  const { t } = useTranslation();
  useDocumentTitle(optimization.name, project.name);
  const isStarted = optimization.rounds.length > 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/p/$slug/optimizations" slug={slug}>
        {t("optimizations.all")}
      </BackLink>
      <PageHeader
        title={optimization.name}
        badges={
          <>
            <StateBadge state={optimization.state} />
            {optimization.archived_at === null ? null : <ArchivedBadge />}
          </>
        }
        description={<Description slug={slug} optimization={optimization} />}
        actions={<Actions {...props} />}
      />
      <p role="status" className="sr-only">
        {t(`optimizations.states.${optimization.state}`)}
      </p>
      <SituationCard slug={slug} optimization={optimization} onRepeated={props.onRepeated} />
      <VerdictCard slug={slug} optimization={optimization} />
      <ModelChoiceCard choice={optimization.model_choice} />
      {isStarted ? (
        <>
          <div className="flex flex-col gap-6 *:flex-1 xl:flex-row">
            <ProgressChart progress={optimization.progress} />
            <CostScatter optimization={optimization} />
          </div>
          <div className="flex flex-col gap-6 xl:flex-row *:xl:last:w-80">
            {optimization.candidate_list.length > 1 ? (
              <LineageCard optimization={optimization} onOpened={props.onCandidateChanged} />
            ) : null}
            <MoneyCard optimization={optimization} />
          </div>
        </>
      ) : null}
      <CandidateTable optimization={optimization} onOpened={props.onCandidateChanged} />
      <RoundTable slug={slug} rounds={optimization.rounds} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <SettingsCard slug={slug} optimization={optimization} />
        <ActivityCard slug={slug} optimizationId={optimization.id} />
      </div>
      {candidate === undefined ? null : (
        <CandidateDrawer
          key={candidate}
          slug={slug}
          optimization={optimization}
          number={candidate}
          onClosed={() => props.onCandidateChanged(undefined)}
        />
      )}
    </div>
  );
}

/** Page of an optimization: what happens, how it ended, its candidates, money and settings. */
export function OptimizationPage(props: OptimizationPageProps) {
  const found = useQuery(optimizationQuery(props.project.slug, props.optimizationId));
  if (found.data !== undefined) {
    return <LoadedOptimization {...props} optimization={found.data} />;
  }
  if (found.isPending) {
    return (
      <LoadingStatus>
        <div className="grid gap-6">
          <Skeleton className="h-7 w-72" />
          <Skeleton className="h-32 rounded-xl" />
          <Skeleton className="h-80 rounded-xl" />
        </div>
      </LoadingStatus>
    );
  }
  return (
    <ProblemState
      isPage
      error={found.error}
      retrying={found.isFetching}
      onRetry={() => void found.refetch()}
    />
  );
}
