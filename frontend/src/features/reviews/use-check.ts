import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/lib/hooks";
import type { checkQuery } from "./queries";
import type { CheckState } from "./suggestion-editor";

const DEBOUNCE_MS = 350;

/** Checks a text whenever typing pauses. */
export function useCheck(
  text: string,
  queryFor: (text: string) => ReturnType<typeof checkQuery>,
): CheckState {
  const settled = useDebounced(text, DEBOUNCE_MS);
  const check = useQuery(queryFor(settled));
  return {
    data: check.data,
    isStale: settled !== text || check.isPlaceholderData,
    error: check.error,
  };
}
