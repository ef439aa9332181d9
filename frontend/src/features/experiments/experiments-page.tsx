import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { ExperimentTable } from "./experiment-table";
import type { ExperimentFilters } from "./experiment-view";
import { FilterBar } from "./filter-bar";
import { FirstSteps } from "./first-steps";
import { experimentsQuery } from "./queries";
import { useExperimentCommands, type ExperimentWays } from "./use-experiment-commands";

export interface ExperimentsPageProps extends ExperimentWays {
  project: Project;
  filters: ExperimentFilters;
  onFiltersChanged: (filters: ExperimentFilters) => void;
}

interface ListProps extends ExperimentsPageProps {
  editable: boolean;
  isFiltered: boolean;
  onFiltersCleared: () => void;
}

function NoMatch({ onFiltersCleared }: { onFiltersCleared: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<SearchX />}
      title={t("experiments.empty.noMatch")}
      description={t("experiments.empty.noMatchHint")}
      action={
        <Button variant="secondary" onClick={onFiltersCleared}>
          {t("experiments.empty.clear")}
        </Button>
      }
    />
  );
}

function ExperimentList(props: ListProps) {
  const { project, filters, editable, isFiltered } = props;
  const { slug } = project;
  const list = useInfiniteQuery(experimentsQuery(slug, filters));
  const [run, dialog] = useExperimentCommands(slug, props);
  if (list.isPending) {
    return <TableSkeleton rows={6} />;
  }
  if (list.isError) {
    return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { items, total } = list.data;
  if (items.length === 0) {
    return isFiltered ? (
      <NoMatch onFiltersCleared={props.onFiltersCleared} />
    ) : (
      <FirstSteps slug={slug} editable={editable} onCreated={props.onSetupOpened} />
    );
  }
  return (
    <div className="grid gap-4" aria-busy={list.isPlaceholderData}>
      <ExperimentTable slug={slug} experiments={items} editable={editable} onCommand={run} />
      <LoadMore
        shown={items.length}
        total={total}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
      />
      {dialog}
    </div>
  );
}

export function ExperimentsPage(props: ExperimentsPageProps) {
  const { project, filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("experiments.title"), project.name);
  const editable = can(project.role, "experiments.edit") && project.archived_at === null;
  // The search box keeps what is being typed; clearing the filters starts it anew.
  const [generation, setGeneration] = useState(0);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("experiments.title")}
        description={t("experiments.description")}
        actions={
          editable ? (
            <Button asChild>
              <Link to="/p/$slug/experiments/new" params={{ slug: project.slug }}>
                <Plus aria-hidden />
                {t("experiments.new")}
              </Link>
            </Button>
          ) : null
        }
      />
      <FilterBar key={generation} filters={filters} onFiltersChanged={onFiltersChanged} />
      <ExperimentList
        {...props}
        editable={editable}
        isFiltered={Object.values(filters).some((value) => value !== undefined)}
        onFiltersCleared={() => {
          setGeneration(generation + 1);
          onFiltersChanged({});
        }}
      />
    </div>
  );
}
