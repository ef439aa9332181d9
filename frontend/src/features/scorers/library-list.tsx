import { useInfiniteQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { NoMatch } from "@/components/listing/no-match";
import { PagedList } from "@/components/listing/paged-list";
import { EmptyState } from "@/components/ui/empty-state";
import { isFiltered } from "@/lib/search";
import {
  scorersQuery,
  useArchiveScorer,
  useDeleteScorer,
  useDuplicateScorer,
  type ScorerFilters,
} from "./queries";
import {
  rubricsQuery,
  useArchiveRubric,
  useDeleteRubric,
  useDuplicateRubric,
} from "./rubric-queries";
import { RubricTable } from "./rubric-table";
import type { Saved } from "./saved-menu";
import { ScorerTable } from "./scorer-table";
import { useSavedCommands } from "./use-saved-commands";

export interface LibraryListProps {
  project: Project;
  filters: ScorerFilters;
  editable: boolean;
  onFiltersCleared: () => void;
  onOpened: (saved: Saved) => void;
  /** The way to make the first one. */
  create: ReactNode;
}

interface NoneProps extends LibraryListProps {
  title: string;
  body: string;
}

function NoneSaved({ filters, title, body, ...props }: NoneProps) {
  const { t } = useTranslation();
  return isFiltered(filters) ? (
    <NoMatch onFiltersCleared={props.onFiltersCleared} />
  ) : (
    <EmptyState
      icon={<Scale />}
      title={title}
      description={props.editable ? body : t("scorers.empty.askEditor")}
      action={props.editable ? props.create : undefined}
    />
  );
}

export function ScorerList(props: LibraryListProps) {
  const { project, filters, editable, onOpened } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const list = useInfiniteQuery(scorersQuery(slug, filters));
  const { run, dialog } = useSavedCommands({
    duplicate: useDuplicateScorer(slug),
    archive: useArchiveScorer(slug),
    remove: useDeleteScorer(slug),
    consequence: t("scorers.delete.body"),
    onDuplicated: onOpened,
  });
  const empty = (
    <NoneSaved {...props} title={t("scorers.empty.title")} body={t("scorers.empty.body")} />
  );
  return (
    <>
      <PagedList query={list} empty={empty}>
        {(scorers) => (
          <ScorerTable slug={slug} scorers={scorers} editable={editable} onCommand={run} />
        )}
      </PagedList>
      {dialog}
    </>
  );
}

export function RubricList(props: LibraryListProps) {
  const { project, filters, editable, onOpened } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const { q, status } = filters;
  const list = useInfiniteQuery(rubricsQuery(slug, { q, status }));
  const { run, dialog } = useSavedCommands({
    duplicate: useDuplicateRubric(slug),
    archive: useArchiveRubric(slug),
    remove: useDeleteRubric(slug),
    consequence: t("scorers.rubrics.deleteBody"),
    onDuplicated: onOpened,
  });
  const empty = (
    <NoneSaved
      {...props}
      filters={{ q, status }}
      title={t("scorers.rubrics.empty")}
      body={t("scorers.rubrics.emptyHint")}
    />
  );
  return (
    <>
      <PagedList query={list} empty={empty}>
        {(rubrics) => (
          <RubricTable slug={slug} rubrics={rubrics} editable={editable} onCommand={run} />
        )}
      </PagedList>
      {dialog}
    </>
  );
}
