import { useQueryClient } from "@tanstack/react-query";
import { Database } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { ResultColumn } from "@/components/grid/columns";
import { ResultsGrid } from "@/components/grid/results-grid";
import { RowStore } from "@/components/grid/row-store";
import type { CaseInfo } from "@/components/grid/rows";
import { ProblemState } from "@/components/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { AddColumn } from "./add-column";
import { CaseDialog } from "./case-dialog";
import type { PlaygroundGridProps } from "./grid-props";
import { idleRows } from "./idle-rows";
import { RowNumber } from "./row-number";
import { SHAPE } from "./shape";

const noop = () => undefined;

export interface IdleGridProps extends PlaygroundGridProps {
  gridColumns: readonly ResultColumn[];
  onAdding: () => void;
}

function useIdleRows({ project, cases }: IdleGridProps) {
  const queryClient = useQueryClient();
  const { datasetId, inputs, expected } = cases;
  return useMemo(() => {
    const store = new RowStore();
    const source = { datasetId, inputs, expected };
    return { store, pages: idleRows(queryClient, project.slug, source, store) };
  }, [queryClient, project.slug, datasetId, inputs, expected]);
}

/** Rows of the next run, before any run. */
export function IdleGrid(props: IdleGridProps) {
  const { t } = useTranslation();
  const { store, pages } = useIdleRows(props);
  const [opened, setOpened] = useState<CaseInfo | null>(null);
  const { total, error } = useSyncExternalStore(pages.subscribe, pages.getState);
  return (
    <>
      {error === null ? null : <ProblemState error={error} onRetry={pages.refresh} />}
      {total === 0 ? (
        <EmptyState
          icon={<Database />}
          title={t("playground.grid.noRows")}
          description={t("playground.grid.noRowsHint")}
        />
      ) : (
        <ResultsGrid
          label={t("playground.grid.label")}
          rowTitle={t("playground.grid.row")}
          className="min-h-0 flex-1"
          shape={SHAPE}
          columns={props.gridColumns}
          pages={pages}
          store={store}
          missing="idle"
          metric="score"
          RowHeader={RowNumber}
          onCellOpened={noop}
          onRowOpened={(position) => setOpened(store.get(position)?.info ?? null)}
          beside={props.canEdit ? <AddColumn onAdding={props.onAdding} /> : null}
        />
      )}
      {opened === null ? null : <CaseDialog info={opened} onClosed={() => setOpened(null)} />}
    </>
  );
}
