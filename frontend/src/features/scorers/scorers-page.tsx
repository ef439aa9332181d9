import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { scorerKindsQuery } from "@/api/scorers";
import type { Project } from "@/api/types";
import { Button } from "@/components/ui/button";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { LibraryFilters } from "./library-filters";
import { RubricList, ScorerList } from "./library-list";
import type { ScorerFilters } from "./queries";
import type { Saved } from "./saved-menu";

const TAB = { exact: true, includeSearch: false } as const;

export interface ScorersPageProps {
  project: Project;
  shows: "scorers" | "rubrics";
  filters: ScorerFilters;
  onFiltersChanged: (filters: ScorerFilters) => void;
  onOpened: (saved: Saved) => void;
}

/** The library: saved scorers, and the rubrics that judges use. */
export function ScorersPage({ project, shows, filters, ...props }: ScorersPageProps) {
  const { t } = useTranslation();
  const { slug } = project;
  useDocumentTitle(t("scorers.title"), project.name);
  const editable = can(project.role, "scorers.edit") && project.archived_at === null;
  const kinds = useQuery(scorerKindsQuery(slug)).data ?? [];
  const create = (
    <Button asChild>
      <Link
        to={shows === "scorers" ? "/p/$slug/scorers/new" : "/p/$slug/scorers/rubrics/new"}
        params={{ slug }}
      >
        <Plus aria-hidden />
        {shows === "scorers" ? t("scorers.new.action") : t("scorers.rubrics.new")}
      </Link>
    </Button>
  );
  const list = {
    project,
    filters,
    editable,
    create,
    onOpened: props.onOpened,
    onFiltersCleared: () => props.onFiltersChanged({}),
  };
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("scorers.title")}
        description={t("scorers.description")}
        actions={editable ? create : null}
      />
      <LinkTabs label={t("scorers.title")}>
        <Link to="/p/$slug/scorers" params={{ slug }} activeOptions={TAB}>
          {t("scorers.tabs.scorers")}
        </Link>
        <Link to="/p/$slug/scorers/rubrics" params={{ slug }} activeOptions={TAB}>
          {t("scorers.tabs.rubrics")}
        </Link>
      </LinkTabs>
      <LibraryFilters
        key={shows}
        filters={filters}
        onFiltersChanged={props.onFiltersChanged}
        {...(shows === "scorers" ? { kinds } : {})}
      />
      {shows === "scorers" ? <ScorerList {...list} /> : <RubricList {...list} />}
    </div>
  );
}
