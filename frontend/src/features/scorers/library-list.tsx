import { useInfiniteQuery } from "@tanstack/react-query";
import { Scale, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { TableSkeleton } from "@/components/ui/skeleton";
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

interface FrameProps<T> extends LibraryListProps {
  list: {
    isPending: boolean;
    isError: boolean;
    error: unknown;
    data: { items: T[]; total: number | null } | undefined;
    isPlaceholderData: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  words: { title: string; body: string };
  children: (items: T[]) => ReactNode;
}

/** A list in all its states. */
function Frame<T>({ list, filters, words, children, ...props }: FrameProps<T>) {
  const { t } = useTranslation();
  if (list.isPending) {
    return <TableSkeleton rows={6} />;
  }
  if (list.isError || list.data === undefined) {
    return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { items, total } = list.data;
  if (items.length === 0) {
    return Object.values(filters).some((value) => value !== undefined) ? (
      <EmptyState
        icon={<SearchX />}
        title={t("scorers.empty.noMatch")}
        description={t("scorers.empty.noMatchHint")}
        action={
          <Button variant="secondary" onClick={props.onFiltersCleared}>
            {t("scorers.empty.clear")}
          </Button>
        }
      />
    ) : (
      <EmptyState
        icon={<Scale />}
        title={words.title}
        description={props.editable ? words.body : t("scorers.empty.askEditor")}
        action={props.editable ? props.create : undefined}
      />
    );
  }
  return (
    <div className="grid gap-4" aria-busy={list.isPlaceholderData}>
      {children(items)}
      <LoadMore
        shown={items.length}
        total={total}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
      />
    </div>
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
  const words = { title: t("scorers.empty.title"), body: t("scorers.empty.body") };
  return (
    <Frame {...props} list={list} words={words}>
      {(items) => (
        <>
          <ScorerTable slug={slug} scorers={items} editable={editable} onCommand={run} />
          {dialog}
        </>
      )}
    </Frame>
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
  const words = { title: t("scorers.rubrics.empty"), body: t("scorers.rubrics.emptyHint") };
  return (
    <Frame {...props} filters={{ q, status }} list={list} words={words}>
      {(items) => (
        <>
          <RubricTable slug={slug} rubrics={items} editable={editable} onCommand={run} />
          {dialog}
        </>
      )}
    </Frame>
  );
}
