import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { sideBySideQuery } from "@/api/side-by-side";
import type { SideCase } from "@/api/types";
import { useShortcuts } from "@/lib/shortcuts";
import type { ColumnChoice } from "./columns";
import { toFilter, type OutputsView } from "./outputs-view";

/** Loads the next page this many cases before the end. */
const READ_AHEAD = 5;

/** These elements handle arrow keys themselves while focused. */
const OWN_ARROWS = "[role=tablist], [role=radiogroup], [role=combobox], [role=menu], pre";

const focusUsesArrowKeys = () => document.activeElement?.closest(OWN_ARROWS) != null;

export interface CasesProps {
  slug: string;
  runId: string;
  columns: readonly ColumnChoice[];
  view: OutputsView;
  onViewChanged: (view: OutputsView) => void;
}

/** Matching cases, and the shown one. */
export function useCases({ slug, runId, columns, view, onViewChanged }: CasesProps) {
  const wanted = toFilter(
    view,
    columns.map(({ key }) => key),
  );
  const query = useInfiniteQuery(sideBySideQuery(slug, runId, wanted));
  const items = query.data?.items ?? [];
  const found = items.findIndex(({ position }) => String(position) === view.case);
  const at = Math.max(0, found);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isNearEnd = items.length > 0 && at >= items.length - READ_AHEAD;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) {
      void fetchNextPage();
    }
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const go = (to: SideCase | undefined) => {
    if (to !== undefined) {
      onViewChanged({ ...view, case: String(to.position) });
    }
  };
  return {
    query,
    shown: items[at],
    at,
    total: query.data?.total ?? items.length,
    hasPrevious: at > 0,
    hasNext: at + 1 < items.length,
    previous: () => go(items[at - 1]),
    next: () => go(items[at + 1]),
  };
}

/** Shortcuts between cases: j and k, or the arrow keys. */
export function useCaseKeys(isActive: boolean, previous: () => void, next: () => void) {
  const unless = (move: () => void) => () => {
    if (!focusUsesArrowKeys()) {
      move();
    }
  };
  useShortcuts(
    isActive ? { j: next, k: previous, ArrowRight: unless(next), ArrowLeft: unless(previous) } : {},
  );
}
