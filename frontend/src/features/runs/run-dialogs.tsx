import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { runOptions, useActOnRun } from "@/api/runs";
import type { Run } from "@/api/types";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/switch";
import { formatNumber } from "@/lib/format";
import { formatSpent } from "@/lib/spent";

interface RunDialogProps {
  slug: string;
  run: Run;
  onClosed: () => void;
}

/** Confirms cancelling: explains what is lost and what is kept. */
export function CancelRunDialog({ slug, run, onClosed }: RunDialogProps) {
  const { t } = useTranslation();
  const act = useActOnRun(slug);
  return (
    <ConfirmDialog
      open
      onOpenChanged={onClosed}
      title={t("runs.cancel.title", { name: run.name })}
      description={t("runs.cancel.body", {
        done: formatNumber(run.done_count),
        total: formatNumber(run.cell_count),
        cost: formatSpent(run.cost_usd, run.unpriced_count),
      })}
      confirmLabel={t("runs.actions.cancel")}
      cancelLabel={t("runs.cancel.keep")}
      loading={act.isPending}
      error={act.isError ? problemMessage(act.error) : null}
      onConfirmed={() => act.mutate({ runId: run.id, action: "cancel" }, { onSuccess: onClosed })}
    />
  );
}

/** Starts a new run with the same variants and cases. */
export function RunAgainDialog(props: RunDialogProps & { onRunOpened: (runId: string) => void }) {
  const { slug, run, onClosed, onRunOpened } = props;
  const { t } = useTranslation();
  const again = useChange(
    "post",
    "/projects/{project}/runs/{run_id}/again",
    { project: slug, run_id: run.id },
    runOptions(slug),
  );
  const [isFresh, setFresh] = useState(false);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      title={t("runs.again.title", { name: run.name })}
      description={t("runs.again.body", { count: run.cell_count })}
    >
      <DialogForm
        submitLabel={t("runs.actions.again")}
        isSaving={again.isPending}
        message={again.isError ? problemMessage(again.error) : null}
        onCancelled={onClosed}
        onSubmitted={() =>
          again.mutate(
            { body: { is_cache_bypassed: isFresh } },
            { onSuccess: (started) => onRunOpened(started.id) },
          )
        }
      >
        <Switch
          label={t("runs.new.bypass")}
          description={t("runs.new.bypassHint")}
          checked={isFresh}
          onCheckedChanged={setFresh}
        />
      </DialogForm>
    </Dialog>
  );
}
