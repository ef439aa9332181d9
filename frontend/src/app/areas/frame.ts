import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Problem } from "@/api/problem";
import { meQuery } from "@/api/session";
import { NotFoundPage } from "../not-found-page";
import { RootLayout } from "../root-layout";

/** Parent routes of all areas: the root, signed-in users, a project. */
interface RouterContext {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
});

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.query({ ...meQuery, staleTime: "static" });
    } catch (error) {
      if (error instanceof Problem && error.status === 401) {
        const next = location.href;
        throw redirect({ to: "/login", search: next === "/projects" ? {} : { next } });
      }
      throw error;
    }
  },
  component: lazyRouteComponent(() => import("../signed-in-layout"), "SignedInLayout"),
});

export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/p/$slug",
  component: lazyRouteComponent(() => import("../project-layout"), "ProjectLayout"),
});
