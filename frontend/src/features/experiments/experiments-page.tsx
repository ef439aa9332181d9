import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { isFiltered } from "@/lib/search";
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

function ExperimentList(props: ExperimentsPageProps & { editable: boolean }) {
  const { project, filters, editable } = props;
  const { slug } = project;
  const list = useInfiniteQuery(experimentsQuery(slug, filters));
  const [run, dialog] = useExperimentCommands(slug, props);
  const empty = isFiltered(filters) ? (
    <NoMatch onFiltersCleared={() => props.onFiltersChanged({})} />
  ) : (
    <FirstSteps slug={slug} editable={editable} onCreated={props.onSetupOpened} />
  );
  return (
    <>
      <PagedList query={list} empty={empty}>
        {(experiments) => (
          <ExperimentTable
            slug={slug}
            experiments={experiments}
            editable={editable}
            onCommand={run}
          />
        )}
      </PagedList>
      {dialog}
    </>
  );
}

export function ExperimentsPage(props: ExperimentsPageProps) {
  const { project, filters, onFiltersChanged } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("experiments.title"), project.name);
  const editable = can(project.role, "experiments.edit") && project.archived_at === null;
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
      <FilterBar filters={filters} onFiltersChanged={onFiltersChanged} />
      <ExperimentList {...props} editable={editable} />
    </div>
  );
}
