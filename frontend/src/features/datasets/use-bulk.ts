import { useTranslation } from "react-i18next";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { problemMessage } from "@/api/problem-message";
import type { BulkAction, BulkChange } from "@/api/types";
import { useChange } from "@/api/use-change";
import { toast } from "@/components/ui/toast";
import { DATASET } from "./queries";
import { toSelection, type CaseView, type Chosen } from "./view";

/**
 * Undoes the last bulk change and shows the result; works after the component that offered it is
 * unmounted.
 */
export function useUndoToast(at: DatasetAddress) {
  const { t } = useTranslation();
  const { mutateAsync } = useChange("post", `${DATASET}/undo`, datasetPath(at));
  return (change: BulkChange) =>
    void mutateAsync({ body: { change_id: change.change_id } }).then(
      () => toast.success(t("datasets.bulk.undone", { count: change.count })),
      (error: unknown) => toast.error(problemMessage(error)),
    );
}

interface BulkRequest {
  chosen: Chosen;
  view: CaseView;
  total: number;
  change: BulkAction;
}

/** Changes many cases at once; the toast offers to undo it. */
export function useBulk(at: DatasetAddress) {
  const { t } = useTranslation();
  const change = useChange("post", `${DATASET}/cases/bulk`, datasetPath(at));
  const undo = useUndoToast(at);
  const run = (wish: BulkRequest, onDone: () => void) =>
    change.mutate(
      {
        body: { selection: toSelection(wish.chosen, wish.view, wish.total), change: wish.change },
      },
      {
        onSuccess: ({ count, last_change: made }) => {
          onDone();
          if (made === null) {
            toast.info(t("datasets.bulk.nothing"));
            return;
          }
          toast.success(t(`datasets.bulk.${wish.change.action}.done`, { count }), {
            action: { label: t("datasets.bulk.undo"), onClick: () => undo(made) },
          });
        },
        onError: (error) => {
          if (wish.change.action === "set_split") {
            toast.error(problemMessage(error));
          }
        },
      },
    );
  return { run, isPending: change.isPending, error: change.error, reset: change.reset };
}
