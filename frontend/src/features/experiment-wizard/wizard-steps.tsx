import { useState } from "react";
import { DataStep } from "./data/data-step";
import { JudgesStep } from "./judges/judges-step";
import { LimitsStep } from "./limits/limits-step";
import { ModelsStep } from "./models/models-step";
import { ObjectiveStep } from "./objective/objective-step";
import { PromptStep } from "./prompt/prompt-step";
import { RubricStep } from "./rubric/rubric-step";
import type { Wizard } from "./use-wizard";
import { STEPS, type Step, type StepProps } from "./wizard-step";

export interface WizardStepsProps {
  slug: string;
  experimentId: string;
  wizard: Wizard;
  current: Step;
  editable: boolean;
}

function CurrentStep({ step, ...props }: WizardStepsProps & { step: Step }) {
  const { slug, experimentId, wizard, editable } = props;
  const { draft } = wizard;
  const propsOf = <S extends Step>(name: S): StepProps<S> => ({
    slug,
    experimentId,
    draft,
    part: draft[name],
    errors: wizard.errorsOf(name),
    editable,
    onChanged: (change) => wizard.change(name, change),
  });
  switch (step) {
    case "objective":
      return <ObjectiveStep {...propsOf(step)} />;
    case "rubric":
      return <RubricStep {...propsOf(step)} />;
    case "prompt":
      return <PromptStep {...propsOf(step)} />;
    case "data":
      return <DataStep {...propsOf(step)} />;
    case "models":
      return <ModelsStep {...propsOf(step)} />;
    case "judges":
      return <JudgesStep {...propsOf(step)} />;
    case "limits":
      return <LimitsStep {...propsOf(step)} />;
  }
}

/** The open step; opened steps stay mounted but hidden. */
export function WizardSteps(props: WizardStepsProps) {
  const { current } = props;
  const [opened, setOpened] = useState<readonly Step[]>([current]);
  if (!opened.includes(current)) {
    setOpened([...opened, current]);
  }
  return STEPS.filter((step) => opened.includes(step)).map((step) => (
    <div key={step} hidden={step !== current} className="min-w-0">
      <CurrentStep {...props} step={step} />
    </div>
  ));
}
