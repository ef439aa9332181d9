import type { ExperimentEstimate } from "@/api/types";
import type { Draft } from "./wizard-step";

export interface EstimatePanelProps {
  estimate: ExperimentEstimate | undefined;
  /** False while a newer estimate is on its way. */
  isCurrent: boolean;
  error: unknown;
  draft: Draft;
  onRetry: () => void;
}

export function EstimatePanel({ estimate }: EstimatePanelProps) {
  return <p className="text-sm">{estimate?.configurations}</p>;
}
