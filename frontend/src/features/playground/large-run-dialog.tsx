import { useTranslation } from "react-i18next";
import type { RunEstimate } from "@/api/types";
import { Assumptions } from "@/components/run-estimate/estimate";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { formatNumber } from "@/lib/format";
import { callsOf, FIRST_ROWS } from "./run-guard";

export interface LargeRunDialogProps {
  estimate: RunEstimate;
  /** Whether the dataset has more rows than a trial takes. */
  canTry: boolean;
  /** `limit` null runs all rows. */
  onConfirmed: (limit: number | null) => void;
  onClosed: () => void;
}

/** Asks before a large run starts, and offers its first rows instead. */
export function LargeRunDialog(props: LargeRunDialogProps) {
  const { estimate, canTry, onConfirmed, onClosed } = props;
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t("playground.large.title", { calls: formatNumber(callsOf(estimate)) })}
      description={t("playground.large.body")}
    >
      <Assumptions estimate={estimate} />
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        {canTry ? (
          <Button variant="secondary" onClick={() => onConfirmed(FIRST_ROWS)}>
            {t("playground.large.first", { count: FIRST_ROWS })}
          </Button>
        ) : null}
        <Button onClick={() => onConfirmed(null)}>{t("playground.large.start")}</Button>
      </DialogFooter>
    </Dialog>
  );
}
