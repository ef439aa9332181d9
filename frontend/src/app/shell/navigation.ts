import { useRouter, useRouterState } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type en from "@/locales/en.json";
import type { Guide } from "@/lib/guides";
import { can, type Action, type Role } from "@/lib/permissions";

export const GROUPS = ["project", "build", "evaluate", "improve", "operate", "configure"] as const;
export type GroupKey = (typeof GROUPS)[number];

type NavigationWords = (typeof en)["nav"];

/** Navigation entry of a page, declared with its route. */
export interface PageDeclaration {
  /** Translation key below `nav`. */
  key: {
    [K in keyof NavigationWords]: NavigationWords[K] extends string ? K : never;
  }[keyof NavigationWords];
  group: GroupKey;
  icon: LucideIcon;
  /** Two keys, the first one is "g". */
  shortcut: string;
  guide: Guide;
  /** Permission required to see the entry. */
  needs?: Action;
}

export interface NavigationEntry extends PageDeclaration {
  /** The project is the only parameter of every page in the navigation. */
  to: "/p/$slug" | "/p/$slug/prompts";
}

export interface NavigationGroup {
  key: GroupKey;
  entries: readonly NavigationEntry[];
}

/** All pages declared for the navigation, in the order of the route tree. */
export function usePages(): NavigationEntry[] {
  const { routesById } = useRouter();
  return Object.values(routesById).flatMap(({ options, fullPath }) => {
    const page = options.staticData?.page;
    const to = fullPath.replace(/(.)\/$/, "$1") as NavigationEntry["to"];
    return page === undefined ? [] : [{ ...page, to }];
  });
}

/** Navigation groups with at least one page that the role may open. */
export function useNavigation(role: Role): NavigationGroup[] {
  const pages = usePages().filter(({ needs }) => needs === undefined || can(role, needs));
  return GROUPS.map((key) => ({
    key,
    entries: pages.filter(({ group }) => group === key),
  })).filter(({ entries }) => entries.length > 0);
}

/** The entry that the current page belongs to. */
export function useCurrentEntry(slug: string): NavigationEntry | undefined {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return usePages().find((entry) => {
    const address = entry.to.replace("$slug", slug);
    const isHome = entry.to === "/p/$slug";
    return path.replace(/\/$/, "") === address || (!isHome && path.startsWith(`${address}/`));
  });
}
