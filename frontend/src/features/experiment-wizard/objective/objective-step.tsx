import type { StepProps } from "../wizard-step";

export function ObjectiveStep({ part }: StepProps<"objective">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
