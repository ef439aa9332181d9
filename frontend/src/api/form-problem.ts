import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { asProblem } from "./problem";
import { problemMessage } from "./problem-message";

/**
 * Assigns the server's field errors to form fields. Returns the message for the form as a whole, or
 * null when every error has a field.
 */
export function placeProblem<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): string | null {
  const problem = asProblem(error);
  const messages = new Map<Path<T>, string[]>();
  const unplaced: string[] = [];
  for (const entry of problem.fields) {
    const name = fields.find((field) => field === entry.field);
    if (name === undefined) {
      unplaced.push(entry.message);
    } else {
      messages.set(name, [...(messages.get(name) ?? []), entry.message]);
    }
  }
  let first = true;
  for (const [name, texts] of messages) {
    setError(name, { type: "server", message: texts.join(" ") }, { shouldFocus: first });
    first = false;
  }
  if (unplaced.length > 0) {
    return unplaced.join(" ");
  }
  return messages.size > 0 ? null : problemMessage(problem);
}
