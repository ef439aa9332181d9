import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { can } from "@/lib/permissions";
import { useOptimizationColumns } from "./optimization-columns";
import { OPTIMIZATION_STATES, type OptimizationFilters } from "./optimization-view";
import { optimizationsQuery } from "./queries";
import { useOptimizationCommands, type OptimizationEvents } from "./use-optimization-commands";

export interface OptimizationsPageProps extends OptimizationEvents {
  project: Project;
  filters: OptimizationFilters;
  onFiltersChanged: (filters: OptimizationFilters) => void;
}

function Filters({ filters, onFiltersChanged }: OptimizationsPageProps) {
  const { t } = useTranslation();
  const change = (part: OptimizationFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      label={t("optimizations.filters.label")}
      search={t("optimizations.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("optimizations.filters.state")}
        anything={t("optimizations.filters.anyState")}
        value={filters.state}
        options={OPTIMIZATION_STATES.map((state) => ({
          value: state,
          label: t(`optimizations.states.${state}`),
        }))}
        onChosen={(state) => change({ state })}
      />
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

export function OptimizationsPage(props: OptimizationsPageProps) {
  const { project, filters } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "optimizations.edit") && project.archived_at === null;
  const { commandsOf, dialog } = useOptimizationCommands(slug, props);
  const create = editable ? (
    <Button asChild>
      <Link to="/p/$slug/optimizations/new" params={{ slug }}>
        <Plus aria-hidden />
        {t("optimizations.new")}
      </Link>
    </Button>
  ) : null;
  return (
    <ResourceList
      project={project}
      title={t("optimizations.title")}
      description={t("optimizations.description")}
      create={create}
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => props.onFiltersChanged({})}
      query={useInfiniteQuery(optimizationsQuery(slug, filters))}
      columns={useOptimizationColumns(slug)}
      commandsOf={(row) => commandsOf(row, { editable, place: "row" })}
      empty={
        <EmptyState
          icon={<Sparkles aria-hidden />}
          title={t("optimizations.empty.title")}
          description={t(editable ? "optimizations.empty.body" : "optimizations.empty.askEditor")}
          action={create}
        />
      }
    >
      {dialog}
    </ResourceList>
  );
}
