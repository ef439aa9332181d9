import { useMatches } from "@tanstack/react-router";

/** Whether the page fills the window and scrolls internally. */
export function useFillsWindow(): boolean {
  return useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.fillsWindow === true),
  });
}
