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

/** The steps in their order. */
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

/** All steps of an experiment, with everything that the server fills in. */
export interface Draft {
  objective: Required<ObjectiveStep>;
  rubric: Required<RubricStep>;
  prompt: Required<PromptStep>;
  data: Required<DataStep>;
  models: Required<ModelsStep> & { grid: Required<ParameterGrid> };
  judges: Required<JudgesStep> & { safety: Required<SafetyChoice> };
  limits: Required<LimitsStep>;
}

/** What every step is given. A step that was open once stays in the page, hidden. */
export interface StepProps<S extends Step> {
  slug: string;
  experimentId: string;
  /** What this step holds. */
  part: Draft[S];
  /** All steps, to read. */
  draft: Draft;
  /** Messages by field below the step, such as `criteria.0.name`; "" is the step itself. */
  errors: FieldErrors;
  editable: boolean;
  /** Puts some fields of this step in the place of those there are. */
  onChanged: (change: Partial<Draft[S]>) => void;
}
