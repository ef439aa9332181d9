import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Experiment, ExperimentEstimate } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { stepMessages, type StepMessage } from "./step-messages";
import { ConfirmModels } from "./confirm-models";
import { NotStarted, useConfirm } from "./confirm-queries";
import { EstimateFigures } from "./estimate-figures";
import type { Draft, Step } from "./wizard-step";

export interface ConfirmDialogProps {
  slug: string;
  experiment: Experiment;
  draft: Draft;
  estimate: ExperimentEstimate | undefined;
  onClosed: () => void;
  onCreated: () => void;
  onStarted: (iterationId: string) => void;
  onStepWanted: (step: Step) => void;
}

interface StepMessageListProps {
  title: string;
  messages: readonly StepMessage[];
  onStepWanted: (step: Step) => void;
}

function StepMessageList({ title, messages, onStepWanted }: StepMessageListProps) {
  const { t } = useTranslation();
  return (
    <Alert tone="danger" title={title}>
      <ul className="grid gap-1.5">
        {messages.map(({ step, message }) => (
          <li key={`${step} ${message}`}>
            {step === undefined ? null : (
              <>
                <button
                  type="button"
                  className="rounded-sm font-medium underline"
                  onClick={() => onStepWanted(step)}
                >
                  {t(`wizard.steps.${step}.name`)}
                </button>
                {": "}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Numbers({ estimate, draft }: Pick<ConfirmDialogProps, "estimate" | "draft">) {
  if (estimate === undefined) {
    return (
      <LoadingStatus className="grid gap-2">
        <Skeleton />
        <Skeleton className="w-2/3" />
      </LoadingStatus>
    );
  }
  return estimate.iteration === null ? null : (
    <EstimateFigures
      estimate={estimate}
      iteration={estimate.iteration}
      budget={draft.limits.budget_usd}
    />
  );
}

/** Summary of the numbers and of what will be created. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { slug, experiment, draft, estimate, onClosed, onStepWanted } = props;
  const { t } = useTranslation();
  const confirm = useConfirm(slug, experiment.id);
  const isNew = experiment.state === "draft";
  const words = isNew ? "new" : "again";
  const problems = estimate?.problems ?? [];
  const isStopped = problems.length > 0;
  const { error } = confirm;
  const start = (starts: boolean) =>
    confirm.mutate(
      { starts },
      { onSuccess: (id) => (id === null ? props.onCreated() : props.onStarted(id)) },
    );
  const pending = confirm.isPending ? confirm.variables.starts : null;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={!confirm.isPending}
      title={t(`wizard.confirm.title.${words}`, { name: experiment.name })}
      description={t(`wizard.confirm.description.${words}`)}
    >
      {error instanceof NotStarted ? (
        <StepMessageList
          title={t("wizard.confirm.notStarted")}
          messages={stepMessages(error.reason)}
          onStepWanted={onStepWanted}
        />
      ) : error === null ? null : (
        <StepMessageList
          title={t("wizard.confirm.refused")}
          messages={stepMessages(error)}
          onStepWanted={onStepWanted}
        />
      )}
      {isStopped && error === null ? (
        <StepMessageList
          title={t("wizard.confirm.unfinished")}
          messages={problems}
          onStepWanted={onStepWanted}
        />
      ) : null}
      {isStopped ? null : <Numbers estimate={estimate} draft={draft} />}
      <ConfirmModels slug={slug} draft={draft} />
      <DialogFooter>
        <Button variant="ghost" className="mr-auto" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        {error instanceof NotStarted ? (
          <Button onClick={props.onCreated}>{t("wizard.confirm.open")}</Button>
        ) : (
          <>
            <Button
              variant="secondary"
              loading={pending === false}
              disabled={isStopped || pending === true}
              onClick={() => start(false)}
            >
              {t(`wizard.confirm.create.${words}`)}
            </Button>
            <Button
              loading={pending === true}
              disabled={isStopped || pending === false}
              onClick={() => start(true)}
            >
              <Play aria-hidden />
              {t(`wizard.confirm.run.${words}`)}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}
