import type { Draft } from "../wizard-step";

export type Choice = Draft["models"]["models"][number];

/** A choice with its index, which the server's error paths use. */
export interface IndexedChoice {
  choice: Choice;
  index: number;
}

export function choicesOf(choices: readonly Choice[], modelId: string): IndexedChoice[] {
  return choices
    .map((choice, index) => ({ choice, index }))
    .filter(({ choice }) => choice.model_id === modelId);
}

export function withoutModel(choices: readonly Choice[], modelId: string): Choice[] {
  return choices.filter((choice) => choice.model_id !== modelId);
}

/** Choices for these models; existing ones keep their parameters. */
export function withModels(choices: readonly Choice[], modelIds: readonly string[]): Choice[] {
  return modelIds.flatMap((modelId) => {
    const kept = choicesOf(choices, modelId).map(({ choice }) => choice);
    return kept.length > 0 ? kept : [{ model_id: modelId, parameters: null }];
  });
}
