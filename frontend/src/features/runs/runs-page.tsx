import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { can } from "@/lib/permissions";
import { runsQuery, type RunFilters } from "./queries";
import { useRunColumns } from "./run-columns";
import { RunFilterBar } from "./run-filter-bar";
import { useRunSelection } from "./run-selection";
import { useRunCommands } from "./use-run-commands";

export interface RunsPageProps {
  project: Project;
  filters: RunFilters;
  onFiltersChanged: (filters: RunFilters) => void;
  onRunOpened: (runId: string) => void;
}

export function RunsPage({ project, filters, onFiltersChanged, onRunOpened }: RunsPageProps) {
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "runs.start") && project.archived_at === null;
  const selection = useRunSelection(slug);
  const { commandsOf, dialog } = useRunCommands(slug, onRunOpened);
  const create = (label: string) =>
    editable ? (
      <Button asChild>
        <Link to="/p/$slug/runs/new" params={{ slug }}>
          <Play aria-hidden />
          {label}
        </Link>
      </Button>
    ) : null;
  return (
    <ResourceList
      project={project}
      title={t("runs.title")}
      description={t("runs.description")}
      create={create(t("runs.new.action"))}
      filterBar={
        <>
          <RunFilterBar slug={slug} filters={filters} onFiltersChanged={onFiltersChanged} />
          {selection.bar}
        </>
      }
      filters={filters}
      onFiltersCleared={() => onFiltersChanged({})}
      query={useInfiniteQuery(runsQuery(slug, filters))}
      columns={[...useRunColumns(slug), selection.column]}
      commandsOf={editable ? commandsOf : undefined}
      empty={{
        icon: <ListChecks />,
        title: t("runs.empty.title"),
        body: editable ? t("runs.empty.body") : t("runs.empty.askEditor"),
        action: create(t("runs.empty.action")),
      }}
    >
      {dialog}
    </ResourceList>
  );
}
