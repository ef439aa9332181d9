import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { can } from "@/lib/permissions";
import { useExperimentColumns } from "./experiment-columns";
import { EXPERIMENT_STATES, type ExperimentFilters } from "./experiment-view";
import { FirstSteps } from "./first-steps";
import { experimentsQuery } from "./queries";
import { useExperimentCommands, type ExperimentEvents } from "./use-experiment-commands";

export interface ExperimentsPageProps extends ExperimentEvents {
  project: Project;
  filters: ExperimentFilters;
  onFiltersChanged: (filters: ExperimentFilters) => void;
}

function Filters({ filters, onFiltersChanged }: ExperimentsPageProps) {
  const { t } = useTranslation();
  const change = (part: ExperimentFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      label={t("experiments.filters.label")}
      search={t("experiments.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("experiments.filters.state")}
        anything={t("experiments.filters.anyState")}
        value={EXPERIMENT_STATES.find((state) => state === filters.state)}
        options={EXPERIMENT_STATES.map((state) => ({
          value: state,
          label: t(`experiments.states.${state}`),
        }))}
        onChosen={(state) => change({ state })}
      />
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

export function ExperimentsPage(props: ExperimentsPageProps) {
  const { project, filters } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "experiments.edit") && project.archived_at === null;
  const { commandsOf, dialog } = useExperimentCommands(slug, props);
  return (
    <ResourceList
      project={project}
      title={t("experiments.title")}
      description={t("experiments.description")}
      create={
        editable ? (
          <Button asChild>
            <Link to="/p/$slug/experiments/new" params={{ slug }}>
              <Plus aria-hidden />
              {t("experiments.new")}
            </Link>
          </Button>
        ) : null
      }
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => props.onFiltersChanged({})}
      query={useInfiniteQuery(experimentsQuery(slug, filters))}
      columns={useExperimentColumns(slug)}
      commandsOf={(experiment) => commandsOf(experiment, editable)}
      empty={<FirstSteps slug={slug} editable={editable} onCreated={props.onSetupOpened} />}
    >
      {dialog}
    </ResourceList>
  );
}
