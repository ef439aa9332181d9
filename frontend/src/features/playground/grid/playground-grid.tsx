import { useState } from "react";
import type { Column, ColumnSettings } from "../session";
import { ColumnDialog } from "./column-dialog";
import type { PlaygroundGridProps } from "./grid-props";
import { IdleGrid } from "./idle-grid";
import { RunGrid } from "./run-grid";
import { useGridColumns } from "./use-grid-columns";

/** Grid of answers: one row per case, one column per configuration. */
export function PlaygroundGrid(props: PlaygroundGridProps) {
  const { project, run, columns, metric, canEdit } = props;
  const [editing, setEditing] = useState<Column | "new" | null>(null);
  const gridColumns = useGridColumns({
    ...{ columns, run, metric, canEdit },
    slug: project.slug,
    sort: props.filters.sort,
    onEditing: setEditing,
    onRemoved: props.onColumnRemoved,
    onSortChanged: props.onSortChanged,
  });
  const close = () => setEditing(null);
  const choose = (settings: ColumnSettings) => {
    if (editing === "new") {
      props.onColumnAdded(settings);
    } else if (editing !== null) {
      props.onColumnEdited(editing.key, settings);
    }
    close();
  };
  const parts = { ...props, gridColumns, onAdding: () => setEditing("new") };
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      {run === null ? <IdleGrid {...parts} /> : <RunGrid key={run.id} {...parts} run={run} />}
      {editing === null ? null : (
        <ColumnDialog
          slug={project.slug}
          column={editing === "new" ? null : editing}
          versionsOf={props.versionsOf}
          onChosen={choose}
          onClosed={close}
        />
      )}
    </div>
  );
}
