import { useQuery } from "@tanstack/react-query";
import type { Project } from "@/api/types";
import { homeQuery } from "@/features/home/queries";
import { storedChoice, type StoredChoice } from "@/lib/stored-choice";
import { GROUPS, useCurrentEntry, type GroupKey } from "./navigation";

/** Width of the sidebar on wide screens. */
const width = storedChoice("edison-sidebar", ["full", "icons"], "full");
export const useSidebarWidth = width.use;

/** The button that has the focus is replaced by another one, which takes it. */
export function toggleSidebar(): void {
  const hadFocus = document.activeElement?.matches("[data-sidebar-toggle]") === true;
  width.set(width.get() === "full" ? "icons" : "full");
  if (hadFocus) {
    requestAnimationFrame(() => {
      const toggles = document.querySelectorAll<HTMLElement>("[data-sidebar-toggle]");
      [...toggles].find((toggle) => toggle.offsetParent !== null)?.focus();
    });
  }
}

const GROUP_STATES = ["auto", "open", "folded"] as const;
type GroupState = (typeof GROUP_STATES)[number];

const groupStates = Object.fromEntries(
  GROUPS.map((key) => [key, storedChoice(`edison-group-${key}`, GROUP_STATES, "auto")]),
) as Record<GroupKey, StoredChoice<GroupState>>;

/** Whether there is something to improve: an experiment, or at least a run. */
function useHasWork({ slug, experiment_count }: Project): boolean {
  const isKnown = experiment_count > 0;
  const { data } = useQuery({ ...homeQuery(slug), enabled: !isKnown });
  return isKnown || data?.steps.has_run === true || data?.steps.has_improvement === true;
}

/**
 * Whether a group is open, and how to change it. Unless the user chose, loops are folded in a
 * project without runs. The group of the current page is always open.
 */
export function useGroup(project: Project, key: GroupKey) {
  const chosen = groupStates[key].use();
  const hasWork = useHasWork(project);
  const isCurrent = useCurrentEntry(project.slug)?.group === key;
  const isWanted = chosen === "auto" ? key !== "improve" || hasWork : chosen === "open";
  const isOpen = isCurrent || isWanted;
  return { isOpen, isCurrent, toggle: () => groupStates[key].set(isOpen ? "folded" : "open") };
}
