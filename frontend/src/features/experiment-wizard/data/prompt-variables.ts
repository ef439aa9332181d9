import { useQuery } from "@tanstack/react-query";
import { promptQuery } from "@/api/prompts";
import { parseTemplate, variableNames } from "@/lib/template";
import type { Draft } from "../wizard-step";

/** The variables of a prompt that is written in the wizard, in the order of their use. */
export function variablesOf({ syntax, system, few_shots, text }: Draft["prompt"]): string[] {
  const texts = [system ?? "", ...few_shots.flatMap((pair) => [pair.user, pair.assistant]), text];
  return [...new Set(texts.flatMap((each) => variableNames(parseTemplate(each, syntax))))];
}

/** What the cases need values for; null while a prompt of the library is not read yet. */
export function usePromptVariables(slug: string, prompt: Draft["prompt"]): string[] | null {
  const promptId = prompt.prompt_id;
  const stored = useQuery({ ...promptQuery(slug, promptId ?? ""), enabled: promptId !== null });
  if (promptId === null) {
    return variablesOf(prompt);
  }
  return stored.data?.variables ?? null;
}
