import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/lib/hooks";
import type { EditedParts } from "./edited-parts";
import type { checkQuery } from "./queries";
import type { CheckState } from "./suggestion-editor";

const DEBOUNCE_MS = 350;

/** Checks an edit whenever typing pauses. */
export function useCheck(
  edited: EditedParts,
  queryFor: (edited: EditedParts) => ReturnType<typeof checkQuery>,
): CheckState {
  const settled = useDebounced(edited, DEBOUNCE_MS);
  const check = useQuery(queryFor(settled));
  return {
    data: check.data,
    isStale: settled !== edited || check.isPlaceholderData,
    error: check.error,
  };
}
