import type { ReactElement, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Table, type Column } from "@/components/ui/table";
import { useDocumentTitle } from "@/lib/hooks";
import { isFiltered } from "@/lib/search";
import { NoMatch } from "./no-match";
import { PagedList, type ListQuery } from "./paged-list";
import type { Resource } from "./resource";

export interface EmptyWords {
  icon: ReactElement;
  title: string;
  /** The next step; for viewers, whom to ask. */
  body: string;
  action?: ReactNode;
}

export interface ResourceListProps<T extends Resource> {
  project: Project;
  title: string;
  description: string;
  /** Create button; null without permission. */
  create: ReactNode;
  /** Content between page header and filters: tabs or a notice. */
  above?: ReactNode;
  filterBar: ReactNode;
  /** Active filters; they decide between the empty state and "no match". */
  filters: object;
  onFiltersCleared: () => void;
  query: ListQuery<T>;
  columns: readonly Column<T>[];
  /** Commands of one resource; no menu when omitted. */
  commandsOf?: ((resource: T) => readonly Command[]) | undefined;
  empty: EmptyWords | ReactElement;
  /** Open dialogs. */
  children?: ReactNode;
}

function menuColumn<T extends Resource>(
  header: string,
  labelOf: (name: string) => string,
  commandsOf: (resource: T) => readonly Command[],
): Column<T> {
  return {
    key: "actions",
    header,
    hideHeader: true,
    align: "right",
    className: "lg:w-16",
    cell: (resource) => (
      <CommandMenu label={labelOf(resource.name)} commands={commandsOf(resource)} />
    ),
  };
}

/**
 * List page of one resource type: header, filters, rows, menus, and loading, error and empty
 * states.
 */
export function ResourceList<T extends Resource>(props: ResourceListProps<T>) {
  const { project, title, columns, commandsOf, empty } = props;
  const { t } = useTranslation();
  useDocumentTitle(title, project.name);
  const all =
    commandsOf === undefined
      ? columns
      : [...columns, menuColumn(t("ui.actions"), (name) => t("lists.menu", { name }), commandsOf)];
  const nothing = "title" in empty ? <Nothing {...empty} /> : empty;
  return (
    <div className="grid gap-6">
      <PageHeader title={title} description={props.description} actions={props.create} />
      {props.above}
      {props.filterBar}
      <PagedList
        query={props.query}
        empty={
          isFiltered(props.filters) ? (
            <NoMatch onFiltersCleared={props.onFiltersCleared} />
          ) : (
            nothing
          )
        }
      >
        {(rows) => <Table caption={title} columns={all} rows={rows} rowKey={({ id }) => id} />}
      </PagedList>
      {props.children}
    </div>
  );
}

function Nothing({ icon, title, body, action }: EmptyWords) {
  return <EmptyState icon={icon} title={title} description={body} action={action ?? undefined} />;
}
