import type { StepProps } from "../wizard-step";

export function PromptStep({ part }: StepProps<"prompt">) {
  return <pre className="text-xs">{JSON.stringify(part, null, 2)}</pre>;
}
