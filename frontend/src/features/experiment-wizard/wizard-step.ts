import type {
  DataStep,
  Experiment,
  JudgesStep,
  LimitsStep,
  ModelsStep,
  ObjectiveStep,
  ParameterGrid,
  PromptStep,
  RubricStep,
  SafetyChoice,
} from "@/api/types";
import type { FieldErrors } from "@/components/schema-form/validate";

/** Steps in order. */
export const STEPS = [
  "objective",
  "rubric",
  "prompt",
  "data",
  "models",
  "judges",
  "limits",
] as const satisfies Experiment["step"][];
export type Step = (typeof STEPS)[number];

/** All steps of an experiment, with the server's defaults filled in. */
export interface Draft {
  objective: Required<ObjectiveStep>;
  rubric: Required<RubricStep>;
  prompt: Required<PromptStep>;
  data: Required<DataStep>;
  models: Required<ModelsStep> & { grid: Required<ParameterGrid> };
  judges: Required<JudgesStep> & { safety: Required<SafetyChoice> };
  limits: Required<LimitsStep>;
}

/** Props of every step. Steps stay mounted but hidden once opened. */
export interface StepProps<S extends Step> {
  slug: string;
  experimentId: string;
  /** Content of this step. */
  part: Draft[S];
  /** All steps, read-only. */
  draft: Draft;
  /** Messages by field below the step, such as `criteria.0.name`; "" is the step itself. */
  errors: FieldErrors;
  editable: boolean;
  /** Changes some fields of this step. */
  onChanged: (change: Partial<Draft[S]>) => void;
}
