import { useInfiniteQuery } from "@tanstack/react-query";
import { Gavel, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { percentDone } from "@/api/runs";
import type { Project, Run } from "@/api/types";
import { FilterBar } from "@/components/listing/filter-bar";
import { useResourceColumns } from "@/components/listing/columns";
import { ResourceList } from "@/components/listing/resource-list";
import { formatScore } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/table";
import { Unknown } from "@/components/unknown";
import { formatCost } from "@/lib/format";
import { can } from "@/lib/permissions";
import { ArenaTabs } from "../arena-tabs";
import { JudgeDialog } from "./judge-dialog";
import { judgingsQuery, type JudgingFilters } from "./queries";

const TONES = { completed: "success", failed: "danger", cancelled: "neutral" } as const;

export interface QuestionsPageProps {
  project: Project;
  filters: JudgingFilters & { dataset?: string | undefined };
  onFiltersChanged: (filters: JudgingFilters) => void;
  onOpened: (runId: string) => void;
}

function State({ run }: { run: Run }) {
  const { t } = useTranslation();
  const tone = Object.hasOwn(TONES, run.state) ? TONES[run.state as keyof typeof TONES] : "info";
  return (
    <span className="inline-flex items-center gap-2">
      <Badge tone={tone}>{t(`runs.states.${run.state}`)}</Badge>
      {run.state === "completed" ? null : (
        <span className="text-xs text-ink-muted tabular-nums">{Math.floor(percentDone(run))}%</span>
      )}
    </span>
  );
}

function useColumns(slug: string): Column<Run>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<Run>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id }) => ({
        to: "/p/$slug/arena/questions/$runId",
        params: { slug, runId: id },
      }),
      note: ({ case_count: count }) => t("questions.count", { count }),
    }),
    { key: "state", header: t("voting.state"), cell: (run) => <State run={run} /> },
    {
      key: "score",
      header: t("arena.columns.score"),
      align: "right",
      cell: ({ score }) => (score === null ? <Unknown /> : formatScore(score)),
    },
    {
      key: "cost",
      header: t("questions.cost"),
      align: "right",
      cell: ({ cost_usd: usd }) => formatCost(usd),
    },
    columns.time("when", t("voting.created"), ({ created_at }) => created_at),
  ];
}

/** Judgings of questions. */
export function QuestionsPage({
  project,
  filters,
  onFiltersChanged,
  onOpened,
}: QuestionsPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  const [isStarting, setStarting] = useState(filters.dataset !== undefined && editable);
  const create = editable ? (
    <Button onClick={() => setStarting(true)}>
      <Plus aria-hidden />
      {t("questions.new.action")}
    </Button>
  ) : null;
  return (
    <ResourceList
      project={project}
      title={t("questions.heading")}
      description={t("questions.description")}
      create={create}
      above={<ArenaTabs slug={slug} />}
      filterBar={
        <FilterBar
          label={t("questions.filter")}
          search={t("questions.search")}
          q={filters.q}
          onSearched={(q) => onFiltersChanged({ q })}
        />
      }
      filters={{ q: filters.q }}
      onFiltersCleared={() => onFiltersChanged({})}
      query={useInfiniteQuery(judgingsQuery(slug, { q: filters.q }))}
      columns={useColumns(slug)}
      empty={{
        icon: <Gavel />,
        title: t("questions.empty.title"),
        body: t(editable ? "questions.empty.body" : "questions.empty.askEditor"),
        action: create,
      }}
    >
      {isStarting ? (
        <JudgeDialog
          slug={slug}
          datasetId={filters.dataset}
          onClosed={() => setStarting(false)}
          onStarted={onOpened}
        />
      ) : null}
    </ResourceList>
  );
}
