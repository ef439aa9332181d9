import { useQuery } from "@tanstack/react-query";
import { variablesQuery } from "@/api/case-choices";

const USUAL = ["question", "prompt", "input", "message", "text"];

/** The variable that most likely holds the question. */
export function questionVariable(names: readonly string[]): string {
  return USUAL.find((name) => names.includes(name)) ?? names[0] ?? "";
}

/** Variables of a dataset, and the one that holds the question. */
export function useQuestionVariable(slug: string, draft: { datasetId: string; variable: string }) {
  const found = useQuery({
    ...variablesQuery(slug, draft.datasetId),
    enabled: draft.datasetId !== "",
  });
  const names = found.data?.map(({ name }) => name) ?? [];
  const variable = names.includes(draft.variable) ? draft.variable : questionVariable(names);
  return { names, variable, query: found };
}
