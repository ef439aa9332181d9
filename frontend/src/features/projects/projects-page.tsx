import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FolderPlus, Plus, SearchX, Sparkles } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { CardGridSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { CreateProjectDialog } from "./create-project-dialog";
import { ProjectCard } from "./project-card";
import { ProjectFilterBar } from "./project-filters";
import { projectListQuery, type ProjectFilters } from "./queries";

export interface ProjectsPageProps {
  filters: ProjectFilters;
  creating: boolean;
  onFiltersChanged: (filters: ProjectFilters) => void;
  onCreatingChanged: (creating: boolean) => void;
  onProjectCreated: (project: Project) => void;
}

function ProjectList(props: ProjectsPageProps & { onFiltersCleared: () => void }) {
  const { t } = useTranslation();
  const { filters } = props;
  const list = useInfiniteQuery({
    ...projectListQuery(filters),
    placeholderData: keepPreviousData,
  });
  if (list.isPending) {
    return <CardGridSkeleton />;
  }
  if (list.isError) {
    return (
      <ProblemState
        error={list.error}
        retrying={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    );
  }
  const { items, total } = list.data;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  if (items.length === 0) {
    return filtered ? (
      <EmptyState
        icon={<SearchX />}
        title={t("projects.noResults")}
        description={t("projects.noResultsHint")}
        action={
          <Button variant="secondary" onClick={props.onFiltersCleared}>
            {t("projects.clearFilters")}
          </Button>
        }
      />
    ) : (
      <EmptyState
        icon={<Sparkles />}
        title={t("projects.welcome")}
        description={t("projects.welcomeHint")}
        action={
          <Button onClick={() => props.onCreatingChanged(true)}>
            <FolderPlus aria-hidden />
            {t("projects.createFirst")}
          </Button>
        }
      />
    );
  }
  return (
    <div className="grid gap-4" aria-busy={list.isPlaceholderData}>
      <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {items.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
      <LoadMore
        shown={items.length}
        total={total}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
      />
    </div>
  );
}

export function ProjectsPage(props: ProjectsPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("projects.title"));
  // The search box keeps what is being typed; clearing the filters starts it anew.
  const [generation, setGeneration] = useState(0);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("projects.title")}
        description={t("projects.description")}
        actions={
          <Button onClick={() => props.onCreatingChanged(true)}>
            <Plus aria-hidden />
            {t("projects.new")}
          </Button>
        }
      />
      <ProjectFilterBar
        key={generation}
        filters={props.filters}
        onFiltersChanged={props.onFiltersChanged}
      />
      <ProjectList
        {...props}
        onFiltersCleared={() => {
          setGeneration(generation + 1);
          props.onFiltersChanged({});
        }}
      />
      <CreateProjectDialog
        open={props.creating}
        onOpenChanged={props.onCreatingChanged}
        onProjectCreated={props.onProjectCreated}
      />
    </div>
  );
}
