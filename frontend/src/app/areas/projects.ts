import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { House, Users } from "lucide-react";
import { ROLES } from "@/lib/permissions";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute, signedInRoute } from "./frame";

const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/projects",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      role: choiceParam(search.role, ROLES),
      status: choiceParam(search.status, ["archived", "all"] as const),
      create: flagParam(search.create),
    }),
  component: lazyRouteComponent(() => import("../routes/projects-route"), "ProjectsRoute"),
});

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  staticData: {
    page: { key: "home", guide: "getting-started", group: "project", icon: House, shortcut: "g h" },
  },
  component: lazyRouteComponent(() => import("../routes/project-home-route"), "ProjectHomeRoute"),
});

const membersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/members",
  staticData: {
    page: {
      key: "members",
      guide: "getting-started",
      group: "configure",
      icon: Users,
      shortcut: "g m",
    },
  },
  validateSearch: (search: RawSearch) => definedOnly({ invite: flagParam(search.invite) }),
  component: lazyRouteComponent(() => import("../routes/members-route"), "MembersRoute"),
});

export const projectListRoutes = [projectsRoute] as const;
export const projectHomeRoutes = [projectHomeRoute] as const;
export const memberRoutes = [membersRoute] as const;
