import type { Project } from "@/api/types";
import type { Step } from "./wizard-step";

export interface SetupPageProps {
  project: Project;
  experimentId: string;
  /** By default, the step where the user left off. */
  step: Step | undefined;
  onStepChanged: (step: Step) => void;
  onCreated: () => void;
  onStarted: (iterationId: string) => void;
}
