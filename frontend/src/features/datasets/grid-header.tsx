import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { stickyLeft, type GridColumn } from "./columns";
import { nextSort, type CaseSort } from "./view";

export interface GridHeaderProps {
  columns: readonly GridColumn[];
  template: string;
  sort: CaseSort | undefined;
  onSortChanged: (sort: CaseSort | undefined) => void;
  /** Selection state of the matching rows. */
  chosen: "none" | "some" | "all";
  onAllChosen: (wanted: boolean) => void;
}

type SortState = "ascending" | "descending" | "none";

function sortState(column: "position" | "difficulty", sort: CaseSort | undefined): SortState {
  if (sort === `-${column}`) {
    return "descending";
  }
  return sort === column || (column === "position" && sort === undefined) ? "ascending" : "none";
}

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown } as const;

function SortButton(props: {
  column: "position" | "difficulty";
  state: SortState;
  onClicked: () => void;
}) {
  const { t } = useTranslation();
  const Icon = ICONS[props.state];
  return (
    <button
      type="button"
      onClick={props.onClicked}
      className="flex items-center gap-1 rounded-sm hover:text-ink"
    >
      {t(`datasets.columns.${props.column}`)}
      <Icon aria-hidden className={cn("size-3", props.state === "none" && "text-ink-decor")} />
    </button>
  );
}

function HeaderCell({ column, ...props }: GridHeaderProps & { column: GridColumn }) {
  const { t } = useTranslation();
  switch (column.kind) {
    case "select":
      return (
        <input
          type="checkbox"
          aria-label={t("datasets.chooseAll")}
          checked={props.chosen === "all"}
          ref={(box) => {
            if (box !== null) {
              box.indeterminate = props.chosen === "some";
            }
          }}
          onChange={() => props.onAllChosen(props.chosen !== "all")}
          className="size-4 accent-accent-solid"
        />
      );
    case "input":
      return (
        <span className="truncate font-mono" title={column.variable}>
          {column.variable}
        </span>
      );
    case "position":
    case "difficulty": {
      const { kind } = column;
      return (
        <SortButton
          column={kind}
          state={sortState(kind, props.sort)}
          onClicked={() => props.onSortChanged(nextSort(props.sort, kind))}
        />
      );
    }
    default:
      return <span className="truncate">{t(`datasets.columns.${column.kind}`)}</span>;
  }
}

export function GridHeader(props: GridHeaderProps) {
  const { columns, template, sort } = props;
  return (
    <div role="rowgroup" className="sticky top-0 z-30">
      <div
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: template }}
        className="grid h-9 border-b border-border bg-surface"
      >
        {columns.map((column, index) => {
          const left = stickyLeft(columns, column);
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={
                column.kind === "position" || column.kind === "difficulty"
                  ? sortState(column.kind, sort)
                  : undefined
              }
              style={left === null ? {} : { left }}
              className={cn(
                "flex min-w-0 items-center bg-surface px-3 text-xs font-medium text-ink-muted",
                left !== null && "sticky z-10",
                column.kind === "select" && "justify-center",
              )}
            >
              <HeaderCell {...props} column={column} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
