import {
  Activity,
  Boxes,
  ClipboardCheck,
  Database,
  FlaskConical,
  GitPullRequestArrow,
  House,
  ListChecks,
  MessageSquareText,
  Scale,
  ScrollText,
  Settings,
  SquarePen,
  Users,
  Wallet,
  type LucideIcon,
} from "lucide-react";
import { can, type Action, type Role } from "@/lib/permissions";

export interface NavigationEntry {
  key:
    | "home"
    | "playground"
    | "prompts"
    | "runs"
    | "datasets"
    | "scorers"
    | "annotation"
    | "experiments"
    | "reviews"
    | "models"
    | "budgets"
    | "members"
    | "settings"
    | "audit"
    | "operations";
  to:
    | "/p/$slug"
    | "/p/$slug/playground"
    | "/p/$slug/prompts"
    | "/p/$slug/runs"
    | "/p/$slug/datasets"
    | "/p/$slug/scorers"
    | "/p/$slug/annotation"
    | "/p/$slug/experiments"
    | "/p/$slug/reviews"
    | "/p/$slug/models"
    | "/p/$slug/budgets"
    | "/p/$slug/members"
    | "/p/$slug/settings"
    | "/p/$slug/audit"
    | "/p/$slug/operations";
  icon: LucideIcon;
  shortcut: string;
  needs?: Action;
}

export interface NavigationGroup {
  key: "project" | "build" | "evaluate" | "improve" | "operate" | "configure";
  entries: readonly NavigationEntry[];
}

const GROUPS: readonly NavigationGroup[] = [
  { key: "project", entries: [{ key: "home", to: "/p/$slug", icon: House, shortcut: "g h" }] },
  {
    key: "build",
    entries: [
      { key: "playground", to: "/p/$slug/playground", icon: SquarePen, shortcut: "g l" },
      { key: "prompts", to: "/p/$slug/prompts", icon: MessageSquareText, shortcut: "g r" },
    ],
  },
  {
    key: "evaluate",
    entries: [
      { key: "runs", to: "/p/$slug/runs", icon: ListChecks, shortcut: "g u" },
      { key: "datasets", to: "/p/$slug/datasets", icon: Database, shortcut: "g d" },
      { key: "scorers", to: "/p/$slug/scorers", icon: Scale, shortcut: "g c" },
      { key: "annotation", to: "/p/$slug/annotation", icon: ClipboardCheck, shortcut: "g n" },
    ],
  },
  {
    key: "improve",
    entries: [
      { key: "experiments", to: "/p/$slug/experiments", icon: FlaskConical, shortcut: "g e" },
      { key: "reviews", to: "/p/$slug/reviews", icon: GitPullRequestArrow, shortcut: "g v" },
    ],
  },
  { key: "operate", entries: [] },
  {
    key: "configure",
    entries: [
      { key: "models", to: "/p/$slug/models", icon: Boxes, shortcut: "g o" },
      { key: "budgets", to: "/p/$slug/budgets", icon: Wallet, shortcut: "g b" },
      { key: "members", to: "/p/$slug/members", icon: Users, shortcut: "g m" },
      { key: "settings", to: "/p/$slug/settings", icon: Settings, shortcut: "g s" },
      {
        key: "audit",
        to: "/p/$slug/audit",
        icon: ScrollText,
        shortcut: "g a",
        needs: "audit.read",
      },
      {
        key: "operations",
        to: "/p/$slug/operations",
        icon: Activity,
        shortcut: "g q",
        needs: "operations.read",
      },
    ],
  },
];

/** Groups with at least one entry that the role may open. */
export function navigationFor(role: Role): NavigationGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => entry.needs === undefined || can(role, entry.needs)),
  })).filter((group) => group.entries.length > 0);
}
