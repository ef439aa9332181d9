import { useQuery } from "@tanstack/react-query";
import { promptQuery } from "@/api/prompts";
import { parseTemplate, variableNames } from "@/lib/template";
import type { Draft } from "../wizard-step";

/** Variables of a prompt written in the wizard, in order of use. */
export function variablesOf({ syntax, system, few_shots, text }: Draft["prompt"]): string[] {
  const texts = [system ?? "", ...few_shots.flatMap((pair) => [pair.user, pair.assistant]), text];
  return [...new Set(texts.flatMap((each) => variableNames(parseTemplate(each, syntax))))];
}

/** Variables that cases need; null until a library prompt has loaded. */
export function usePromptVariables(slug: string, prompt: Draft["prompt"]): string[] | null {
  const promptId = prompt.prompt_id;
  const stored = useQuery({ ...promptQuery(slug, promptId ?? ""), enabled: promptId !== null });
  if (promptId === null) {
    return variablesOf(prompt);
  }
  return stored.data?.variables ?? null;
}
