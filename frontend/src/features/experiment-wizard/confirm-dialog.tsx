import type { Experiment, ExperimentEstimate } from "@/api/types";
import { Dialog } from "@/components/ui/dialog";
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

export function ConfirmDialog({ experiment, onClosed }: ConfirmDialogProps) {
  return (
    <Dialog open onOpenChanged={onClosed} title={experiment.name}>
      {experiment.name}
    </Dialog>
  );
}
