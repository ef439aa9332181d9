import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FolderPlus, Plus, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { CardGridSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { isFiltered } from "@/lib/search";
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

function NoProjects({ filters, onFiltersChanged, onCreatingChanged }: ProjectsPageProps) {
  const { t } = useTranslation();
  return isFiltered(filters) ? (
    <NoMatch onFiltersCleared={() => onFiltersChanged({})} />
  ) : (
    <EmptyState
      icon={<Sparkles />}
      title={t("projects.welcome")}
      description={t("projects.welcomeHint")}
      action={
        <Button onClick={() => onCreatingChanged(true)}>
          <FolderPlus aria-hidden />
          {t("projects.createFirst")}
        </Button>
      }
    />
  );
}

function ProjectList(props: ProjectsPageProps) {
  const list = useInfiniteQuery({
    ...projectListQuery(props.filters),
    placeholderData: keepPreviousData,
  });
  return (
    <PagedList query={list} empty={<NoProjects {...props} />} skeleton={<CardGridSkeleton />}>
      {(projects) => (
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

export function ProjectsPage(props: ProjectsPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("projects.title"));
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
      <ProjectFilterBar filters={props.filters} onFiltersChanged={props.onFiltersChanged} />
      <ProjectList {...props} />
      <CreateProjectDialog
        open={props.creating}
        onOpenChanged={props.onCreatingChanged}
        onProjectCreated={props.onProjectCreated}
      />
    </div>
  );
}
