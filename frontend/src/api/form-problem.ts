import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { asProblem } from "./problem";
import { problemMessage } from "./problem-message";

/**
 * Puts the server's complaints on the fields they belong to. Returns what is left to say above
 * the form: null when every complaint found its field.
 */
export function placeProblem<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): string | null {
  const problem = asProblem(error);
  const messages = new Map<Path<T>, string[]>();
  const homeless: string[] = [];
  for (const entry of problem.fields) {
    const name = fields.find((field) => field === entry.field);
    if (name === undefined) {
      homeless.push(entry.message);
    } else {
      messages.set(name, [...(messages.get(name) ?? []), entry.message]);
    }
  }
  let first = true;
  for (const [name, texts] of messages) {
    setError(name, { type: "server", message: texts.join(" ") }, { shouldFocus: first });
    first = false;
  }
  if (homeless.length > 0) {
    return homeless.join(" ");
  }
  return messages.size > 0 ? null : problemMessage(problem);
}
