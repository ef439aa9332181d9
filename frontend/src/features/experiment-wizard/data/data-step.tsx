import type { StepProps } from "../wizard-step";

export function DataStep({ part }: StepProps<"data">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
