import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Radar } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { MonitorTabs } from "@/components/monitor-tabs";
import { Button } from "@/components/ui/button";
import { can } from "@/lib/permissions";
import { useMonitorColumns } from "./monitor-columns";
import { MONITOR_STATES, type MonitorFilters } from "./monitor-view";
import { monitorsQuery } from "./queries";
import { useMonitorCommands } from "./use-monitor-commands";

export interface MonitorsPageProps {
  project: Project;
  filters: MonitorFilters;
  onFiltersChanged: (filters: MonitorFilters) => void;
  onOpened: (monitorId: string) => void;
}

function Filters({ filters, onFiltersChanged }: MonitorsPageProps) {
  const { t } = useTranslation();
  const change = (part: MonitorFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      label={t("monitors.filters.label")}
      search={t("monitors.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("monitors.filters.state")}
        anything={t("monitors.filters.anyState")}
        value={filters.state}
        options={MONITOR_STATES.map((state) => ({
          value: state,
          label: t(`monitors.states.${state}`),
        }))}
        onChosen={(state) => change({ state })}
      />
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

function NewButton({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to="/p/$slug/monitors/new" params={{ slug }}>
        <Plus aria-hidden />
        {t("monitors.new")}
      </Link>
    </Button>
  );
}

export function MonitorsPage(props: MonitorsPageProps) {
  const { project, filters, onOpened } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "monitors.edit") && project.archived_at === null;
  const { commandsOf, dialog } = useMonitorCommands(slug, { onOpened });
  const create = editable ? <NewButton slug={slug} /> : null;
  return (
    <ResourceList
      project={project}
      title={t("monitors.title")}
      description={t("monitors.description")}
      create={create}
      above={<MonitorTabs slug={slug} />}
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => props.onFiltersChanged({})}
      query={useInfiniteQuery(monitorsQuery(slug, filters))}
      columns={useMonitorColumns(slug)}
      commandsOf={editable ? (monitor) => commandsOf(monitor) : undefined}
      empty={{
        icon: <Radar />,
        title: t("monitors.empty.title"),
        body: t(editable ? "monitors.empty.body" : "monitors.empty.askEditor"),
        action: create,
      }}
    >
      {dialog}
    </ResourceList>
  );
}
