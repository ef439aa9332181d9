import type { QueryClient } from "@tanstack/react-query";
import { createRouter, type RouterHistory } from "@tanstack/react-router";
import { abTestRoutes } from "./areas/ab-tests";
import { accountRoutes } from "./areas/account";
import { annotationRoutes } from "./areas/annotation";
import { arenaRoutes } from "./areas/arena";
import { auditRoutes } from "./areas/audit";
import { budgetRoutes } from "./areas/budgets";
import { datasetRoutes } from "./areas/datasets";
import { authRoutes } from "./areas/auth";
import { experimentWizardRoutes } from "./areas/experiment-wizard";
import { experimentRoutes } from "./areas/experiments";
import { projectRoute, rootRoute, signedInRoute } from "./areas/frame";
import { importRoutes } from "./areas/imports";
import { iterationRoutes } from "./areas/iterations";
import { modelRoutes } from "./areas/models";
import { monitorRoutes } from "./areas/monitors";
import { notificationRoutes } from "./areas/notifications";
import { operationsRoutes } from "./areas/operations";
import { optimizationRoutes } from "./areas/optimizations";
import { playgroundRoutes } from "./areas/playground";
import { memberRoutes, projectHomeRoutes, projectListRoutes } from "./areas/projects";
import { promptRoutes } from "./areas/prompts";
import { reviewRoutes } from "./areas/reviews";
import { runRoutes } from "./areas/runs";
import { scorerRoutes } from "./areas/scorers";
import { settingsRoutes } from "./areas/settings";
import { ErrorPage } from "./error-page";
import { NotFoundPage } from "./not-found-page";
import { PendingPage } from "./pending-page";
import type { PageDeclaration } from "./shell/navigation";

/**
 * All areas. An area is one file: routes, their search parameters and their navigation entries. The
 * order here is the order within a navigation group.
 */
const routeTree = rootRoute.addChildren([
  ...authRoutes,
  signedInRoute.addChildren([
    ...projectListRoutes,
    ...accountRoutes,
    ...notificationRoutes,
    projectRoute.addChildren([
      ...projectHomeRoutes,
      ...playgroundRoutes,
      ...promptRoutes,
      ...runRoutes,
      ...arenaRoutes,
      ...datasetRoutes,
      ...scorerRoutes,
      ...annotationRoutes,
      ...experimentRoutes,
      ...experimentWizardRoutes,
      ...iterationRoutes,
      ...optimizationRoutes,
      ...reviewRoutes,
      ...monitorRoutes,
      ...abTestRoutes,
      ...modelRoutes,
      ...budgetRoutes,
      ...memberRoutes,
      ...importRoutes,
      ...settingsRoutes,
      ...auditRoutes,
      ...operationsRoutes,
    ]),
  ]),
]);

/** Uses the browser's history unless another one is given. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    ...(history === undefined ? {} : { history }),
    routeTree,
    context: { queryClient },
    // What a page does not know, or does not allow, would otherwise reach it unchecked.
    search: { strict: true },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 300,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
  interface StaticDataRouteOption {
    /** The page fills the window and scrolls internally. */
    fillsWindow?: boolean;
    /** Entry in the sidebar, the command palette and the keyboard shortcuts. */
    page?: PageDeclaration;
  }
}
