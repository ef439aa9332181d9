import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { STEPS, type Step } from "./wizard-step";

export interface StepMessage {
  step: Step | undefined;
  message: string;
}

interface Reasons {
  reasons?: { message: string }[];
}

/** Server errors by step (first path segment), or the reason why it cannot start. */
export function stepMessages(error: unknown): StepMessage[] {
  const { fields, details } = asProblem(error);
  const reasons = (details as Reasons | null)?.reasons ?? [];
  const found = [
    ...fields.map(({ field, message }) => ({
      step: STEPS.find((step) => field === step || field.startsWith(`${step}.`)),
      message,
    })),
    ...reasons.map(({ message }) => ({ step: undefined, message })),
  ];
  return found.length === 0 ? [{ step: undefined, message: problemMessage(error) }] : found;
}
