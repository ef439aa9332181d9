import type { StepProps } from "../wizard-step";

export function LimitsStep({ part }: StepProps<"limits">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
