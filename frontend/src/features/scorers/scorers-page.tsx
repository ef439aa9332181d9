import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Scale } from "lucide-react";
import { useTranslation } from "react-i18next";
import { scorerKindsQuery } from "@/api/scorers";
import type { Project } from "@/api/types";
import { FilterBar, FilterSelect, StatusFilter } from "@/components/listing/filter-bar";
import type { Resource } from "@/components/listing/resource";
import { ResourceList } from "@/components/listing/resource-list";
import { Button } from "@/components/ui/button";
import { LinkTabs } from "@/components/ui/link-tabs";
import { can } from "@/lib/permissions";
import { useRubricColumns, useScorerColumns } from "./library-columns";
import { COST_CLASSES, scorersQuery, type ScorerFilters } from "./queries";
import { rubricsQuery } from "./rubric-queries";
import { useRubricCommands, useScorerCommands } from "./use-library-commands";

const TAB = { exact: true, includeSearch: false } as const;

interface LibraryProps {
  project: Project;
  filters: ScorerFilters;
  onFiltersChanged: (filters: ScorerFilters) => void;
  onOpened: (saved: Resource) => void;
}

export interface ScorersPageProps extends LibraryProps {
  shows: "scorers" | "rubrics";
}

function Filters(props: ScorersPageProps) {
  const { project, shows, filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  const kinds = useQuery(scorerKindsQuery(project.slug)).data ?? [];
  const change = (part: ScorerFilters) => onFiltersChanged({ ...filters, ...part });
  return (
    <FilterBar
      key={shows}
      label={t("scorers.filters.label")}
      search={t("scorers.filters.search")}
      q={filters.q}
      onSearched={(q) => change({ q })}
    >
      {shows === "rubrics" ? null : (
        <>
          <FilterSelect
            label={t("scorers.filters.kind")}
            anything={t("scorers.filters.allKinds")}
            value={filters.kind}
            options={kinds.map(({ kind, title }) => ({ value: kind, label: title }))}
            onChosen={(kind) => change({ kind })}
          />
          <FilterSelect
            label={t("scorers.filters.cost")}
            anything={t("scorers.filters.allCosts")}
            value={filters.cost}
            options={COST_CLASSES.map((cost) => ({
              value: cost,
              label: t(`scorers.costs.${cost}`),
            }))}
            onChosen={(cost) => change({ cost })}
          />
        </>
      )}
      <StatusFilter value={filters.status} onChosen={(status) => change({ status })} />
    </FilterBar>
  );
}

/** State shared by both lists of the library. */
function useLibrary(props: ScorersPageProps) {
  const { project, shows } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const editable = can(project.role, "scorers.edit") && project.archived_at === null;
  const create = editable ? (
    <Button asChild>
      <Link
        to={shows === "scorers" ? "/p/$slug/scorers/new" : "/p/$slug/scorers/rubrics/new"}
        params={{ slug }}
      >
        <Plus aria-hidden />
        {shows === "scorers" ? t("scorers.new.action") : t("scorers.rubrics.new")}
      </Link>
    </Button>
  ) : null;
  const above = (
    <LinkTabs label={t("scorers.title")}>
      <Link to="/p/$slug/scorers" params={{ slug }} activeOptions={TAB}>
        {t("scorers.tabs.scorers")}
      </Link>
      <Link to="/p/$slug/scorers/rubrics" params={{ slug }} activeOptions={TAB}>
        {t("scorers.tabs.rubrics")}
      </Link>
    </LinkTabs>
  );
  return {
    editable,
    list: {
      project,
      title: t("scorers.title"),
      description: t("scorers.description"),
      create,
      above,
      filterBar: <Filters {...props} />,
      onFiltersCleared: () => props.onFiltersChanged({}),
    },
    emptyOf: (title: string, body: string) => ({
      icon: <Scale />,
      title,
      body: editable ? body : t("scorers.empty.askEditor"),
      action: create,
    }),
  };
}

function ScorerList(props: ScorersPageProps) {
  const { project, filters } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const { editable, list, emptyOf } = useLibrary(props);
  const { commandsOf, dialog } = useScorerCommands(slug, { onDuplicated: props.onOpened });
  return (
    <ResourceList
      {...list}
      filters={filters}
      query={useInfiniteQuery(scorersQuery(slug, filters))}
      columns={useScorerColumns(slug)}
      commandsOf={editable ? commandsOf : undefined}
      empty={emptyOf(t("scorers.empty.title"), t("scorers.empty.body"))}
    >
      {dialog}
    </ResourceList>
  );
}

function RubricList(props: ScorersPageProps) {
  const { project } = props;
  const { slug } = project;
  const { t } = useTranslation();
  const filters = { q: props.filters.q, status: props.filters.status };
  const { editable, list, emptyOf } = useLibrary(props);
  const { commandsOf, dialog } = useRubricCommands(slug, { onDuplicated: props.onOpened });
  return (
    <ResourceList
      {...list}
      filters={filters}
      query={useInfiniteQuery(rubricsQuery(slug, filters))}
      columns={useRubricColumns(slug)}
      commandsOf={editable ? commandsOf : undefined}
      empty={emptyOf(t("scorers.rubrics.empty"), t("scorers.rubrics.emptyHint"))}
    >
      {dialog}
    </ResourceList>
  );
}

/** Library of saved scorers and rubrics. */
export function ScorersPage(props: ScorersPageProps) {
  return props.shows === "scorers" ? <ScorerList {...props} /> : <RubricList {...props} />;
}
