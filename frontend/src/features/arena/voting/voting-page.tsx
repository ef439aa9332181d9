import { useInfiniteQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2, Vote } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VotingRound } from "@/api/arena";
import type { Project } from "@/api/types";
import { useResourceColumns } from "@/components/listing/columns";
import { FilterBar } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/table";
import { can } from "@/lib/permissions";
import { ArenaTabs } from "../arena-tabs";
import { DeleteRoundDialog, RenameRoundDialog } from "./round-dialogs";
import { NewRoundDialog } from "./new-round-dialog";
import { roundsQuery, type RoundFilters } from "./queries";
import { RoundBadge, RoundProgress } from "./round-progress";

export interface VotingPageProps {
  project: Project;
  filters: RoundFilters & { run?: string | undefined };
  onFiltersChanged: (filters: RoundFilters) => void;
  onOpened: (roundId: string) => void;
}

function useColumns(slug: string): Column<VotingRound>[] {
  const { t } = useTranslation();
  const columns = useResourceColumns<VotingRound>();
  return [
    columns.name({
      className: "lg:w-2/5",
      link: ({ id }) => ({ to: "/p/$slug/arena/voting/$roundId", params: { slug, roundId: id } }),
      note: (round) =>
        [
          t("voting.pairs", { count: round.match_count }),
          t("voting.people", { count: round.people_per_match }),
        ].join(" · "),
    }),
    { key: "state", header: t("voting.state"), cell: (round) => <RoundBadge round={round} /> },
    {
      key: "progress",
      header: t("voting.progress"),
      cell: (round) => <RoundProgress round={round} />,
    },
    columns.time("when", t("voting.created"), ({ created_at }) => created_at),
  ];
}

/** Rounds of blind votes. */
export function VotingPage({ project, filters, onFiltersChanged, onOpened }: VotingPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  const [isCreating, setCreating] = useState(filters.run !== undefined && editable);
  const [deleted, setDeleted] = useState<VotingRound | null>(null);
  const [renamed, setRenamed] = useState<VotingRound | null>(null);
  const create = editable ? (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t("voting.new.action")}
    </Button>
  ) : null;
  return (
    <ResourceList
      project={project}
      title={t("voting.heading")}
      description={t("voting.description")}
      create={create}
      above={<ArenaTabs slug={slug} />}
      filterBar={
        <FilterBar
          label={t("voting.filter")}
          search={t("voting.search")}
          q={filters.q}
          onSearched={(q) => onFiltersChanged({ q })}
        />
      }
      filters={{ q: filters.q }}
      onFiltersCleared={() => onFiltersChanged({})}
      query={useInfiniteQuery(roundsQuery(slug, { q: filters.q }))}
      columns={useColumns(slug)}
      commandsOf={
        editable
          ? (round) => [
              {
                icon: Pencil,
                label: t("voting.rename"),
                onChosen: () => setRenamed(round),
              },
              {
                icon: Trash2,
                label: t("lists.delete"),
                isDanger: true,
                onChosen: () => setDeleted(round),
              },
            ]
          : undefined
      }
      empty={{
        icon: <Vote />,
        title: t("voting.empty.title"),
        body: t(editable ? "voting.empty.body" : "voting.empty.askEditor"),
        action: create,
      }}
    >
      {deleted === null ? null : (
        <DeleteRoundDialog slug={slug} round={deleted} onClosed={() => setDeleted(null)} />
      )}
      {renamed === null ? null : (
        <RenameRoundDialog slug={slug} round={renamed} onClosed={() => setRenamed(null)} />
      )}
      {isCreating ? (
        <NewRoundDialog
          slug={slug}
          run={filters.run}
          onClosed={() => setCreating(false)}
          onCreated={onOpened}
        />
      ) : null}
    </ResourceList>
  );
}
