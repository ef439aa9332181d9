import type { StepProps } from "../wizard-step";

export function RubricStep({ part }: StepProps<"rubric">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
