import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Split } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { can } from "@/lib/permissions";
import { useAbTestColumns } from "./ab-test-columns";
import { AB_TEST_STATES, type AbTestFilters } from "./ab-test-view";
import { abTestsQuery } from "./queries";
import { useAbTestCommands } from "./use-ab-test-commands";

export interface AbTestsPageProps {
  project: Project;
  filters: AbTestFilters;
  onFiltersChanged: (filters: AbTestFilters) => void;
  onOpened: (testId: string) => void;
}

function Filters({ filters, onFiltersChanged }: AbTestsPageProps) {
  const { t } = useTranslation();
  const change = (part: AbTestFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      label={t("abTests.filters.label")}
      search={t("abTests.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      <FilterSelect
        label={t("abTests.filters.state")}
        anything={t("abTests.filters.anyState")}
        value={filters.state}
        options={AB_TEST_STATES.map((state) => ({
          value: state,
          label: t(`abTests.states.${state}`),
        }))}
        onChosen={(state) => change({ state })}
      />
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

export function AbTestsPage(props: AbTestsPageProps) {
  const { project, filters, onOpened } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "abTests.edit") && project.archived_at === null;
  const { commandsOf, dialog } = useAbTestCommands(slug, { onOpened });
  const create = editable ? (
    <Button asChild>
      <Link to="/p/$slug/ab-tests/new" params={{ slug }}>
        <Plus aria-hidden />
        {t("abTests.new")}
      </Link>
    </Button>
  ) : null;
  return (
    <ResourceList
      project={project}
      title={t("abTests.title")}
      description={t("abTests.description")}
      create={create}
      filterBar={<Filters {...props} />}
      filters={filters}
      onFiltersCleared={() => props.onFiltersChanged({})}
      query={useInfiniteQuery(abTestsQuery(slug, filters))}
      columns={useAbTestColumns(slug)}
      commandsOf={(test) => (editable ? commandsOf(test) : [])}
      empty={
        <EmptyState
          icon={<Split aria-hidden />}
          title={t("abTests.empty.title")}
          description={t("abTests.empty.body")}
          action={create}
        />
      }
    >
      {dialog}
    </ResourceList>
  );
}
