import type { StepProps } from "../wizard-step";

export function JudgesStep({ part }: StepProps<"judges">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
