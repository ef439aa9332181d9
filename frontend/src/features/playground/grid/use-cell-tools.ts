import { useQueryClient } from "@tanstack/react-query";
import { Copy, GitCompareArrows, Maximize2, RotateCw } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SCORES, scoreOptions } from "@/api/human-scores";
import { outputQuery, rerunOptions } from "@/api/outputs";
import { problemMessage } from "@/api/problem-message";
import type { Cell, RunDetail } from "@/api/types";
import { useChange } from "@/api/use-change";
import type { CellAction, CellTools } from "@/components/grid/cell-tools";
import type { RowStore } from "@/components/grid/row-store";
import { toast } from "@/components/ui/toast";

export interface CellToolsOptions {
  slug: string;
  run: RunDetail;
  store: RowStore;
  hasGrader: boolean;
  canScore: boolean;
  /** Only current runs can be re-run; earlier ones are read-only. */
  canRerun: boolean;
  onOpened: (cell: Cell) => void;
  onCompared: (cell: Cell) => void;
  renderReasons: NonNullable<CellTools["renderReasons"]>;
}

/** Copies the full answer, not the truncated text of the cell. */
function useCopyOutput(slug: string) {
  const queryClient = useQueryClient();
  const { t } = useTranslation();
  return useCallback(
    (cell: Cell) => {
      // Browsers allow clipboard writes only during a user gesture, so the text is passed as a
      // promise.
      const text = queryClient
        .query(outputQuery(slug, cell.id))
        .then((output) => new Blob([output.text ?? output.message ?? ""], { type: "text/plain" }));
      navigator.clipboard
        .write([new ClipboardItem({ "text/plain": text })])
        .then(() => toast.success(t("ui.copied")))
        .catch(() => toast.error(t("ui.copyFailed")));
    },
    [queryClient, slug, t],
  );
}

/** Optimistic update, reverted on error. */
function useOptimisticChange(store: RowStore) {
  return useCallback(
    (cell: Cell, change: Partial<Cell>) => {
      store.changeCell({ ...cell, ...change });
      return (error: Error) => {
        store.changeCell(cell);
        toast.error(problemMessage(error));
      };
    },
    [store],
  );
}

function useThumb(slug: string, store: RowStore) {
  const { mutate } = useChange("put", SCORES, { project: slug }, scoreOptions(slug));
  const change = useOptimisticChange(store);
  return useCallback(
    (cell: Cell, answer: 0 | 1) => {
      const onError = change(cell, {
        human_value: answer,
        grade: { value: answer, by: "human" },
      });
      mutate(
        { output_id: cell.id, body: { question: "thumbs", answer, about: cell.number } },
        { onError },
      );
    },
    [mutate, change],
  );
}

function useRerun(slug: string, store: RowStore) {
  const { mutate } = useChange(
    "post",
    "/projects/{project}/outputs/{output_id}/rerun",
    { project: slug },
    rerunOptions(slug),
  );
  const change = useOptimisticChange(store);
  return useCallback(
    (cell: Cell) =>
      mutate({ output_id: cell.id }, { onError: change(cell, { is_wanted_again: true }) }),
    [mutate, change],
  );
}

/** Cell actions of the playground. */
export function useCellTools(options: CellToolsOptions): CellTools {
  const { slug, run, store, hasGrader, canScore, canRerun } = options;
  const { onOpened, onCompared, renderReasons } = options;
  const { t } = useTranslation();
  const copy = useCopyOutput(slug);
  const thumb = useThumb(slug, store);
  const rerun = useRerun(slug, store);
  // A replay makes no calls, and cancelled runs are not changed.
  const isRerunnable = canRerun && run.replay_of_id === null && run.state !== "cancelled";
  return useMemo((): CellTools => {
    const again: CellAction = {
      label: t("cell.rerun"),
      Icon: RotateCw,
      shortcut: "r",
      onChosen: rerun,
    };
    const compare: CellAction = {
      label: t("cell.compare"),
      Icon: GitCompareArrows,
      shortcut: "d",
      onChosen: onCompared,
    };
    return {
      actionsOf: (cell) => [
        ...(isRerunnable && !cell.is_wanted_again ? [again] : []),
        { label: t("cell.copy"), Icon: Copy, shortcut: "c", onChosen: copy },
        ...(cell.status === "error" ? [] : [compare]),
        { label: t("cell.expand"), Icon: Maximize2, shortcut: "Enter", onChosen: onOpened },
      ],
      onThumbed: canScore ? thumb : null,
      renderReasons: hasGrader ? renderReasons : null,
    };
  }, [
    t,
    isRerunnable,
    rerun,
    copy,
    onCompared,
    onOpened,
    canScore,
    thumb,
    hasGrader,
    renderReasons,
  ]);
}
