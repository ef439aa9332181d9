import { useRouter } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type en from "@/locales/en.json";
import { can, type Action, type Role } from "@/lib/permissions";

const GROUPS = ["project", "build", "evaluate", "improve", "operate", "configure"] as const;
type GroupKey = (typeof GROUPS)[number];

type NavigationWords = (typeof en)["nav"];

/** A page's place in the navigation, declared with its route in the area it belongs to. */
export interface PageDeclaration {
  /** Names it, below `nav` of the texts. */
  key: {
    [K in keyof NavigationWords]: NavigationWords[K] extends string ? K : never;
  }[keyof NavigationWords];
  group: GroupKey;
  icon: LucideIcon;
  /** Two keys, the first of them "g". */
  shortcut: string;
  /** What a role must be allowed, to be led there. */
  needs?: Action;
}

export interface NavigationEntry extends PageDeclaration {
  /** Every page of the navigation has the project as its only parameter. */
  to: "/p/$slug" | "/p/$slug/prompts";
}

export interface NavigationGroup {
  key: GroupKey;
  entries: readonly NavigationEntry[];
}

/** All pages that routes declare for the navigation, in the order of the route tree. */
export function usePages(): NavigationEntry[] {
  const { routesById } = useRouter();
  return Object.values(routesById).flatMap(({ options, fullPath }) => {
    const page = options.staticData?.page;
    const to = fullPath.replace(/(.)\/$/, "$1") as NavigationEntry["to"];
    return page === undefined ? [] : [{ ...page, to }];
  });
}

/** Groups with at least one page that the role may open. */
export function useNavigation(role: Role): NavigationGroup[] {
  const pages = usePages().filter(({ needs }) => needs === undefined || can(role, needs));
  return GROUPS.map((key) => ({
    key,
    entries: pages.filter(({ group }) => group === key),
  })).filter(({ entries }) => entries.length > 0);
}
