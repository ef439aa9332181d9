import type { StepProps } from "../wizard-step";

export function ModelsStep({ part }: StepProps<"models">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
