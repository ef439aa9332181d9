import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Problem } from "@/api/problem";
import { meQuery } from "@/api/session";
import { definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { ErrorPage } from "./error-page";
import { NotFoundPage } from "./not-found-page";
import { PendingPage } from "./pending-page";
import {
  accountSearch,
  auditSearch,
  datasetSearch,
  datasetsSearch,
  modelsSearch,
  projectsSearch,
  promptSearch,
  promptsSearch,
} from "./page-search";
import { RootLayout } from "./root-layout";

interface RouterContext {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/projects", replace: true });
  },
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search: RawSearch) =>
    definedOnly({ next: textParam(search.next), error: textParam(search.error) }),
  component: lazyRouteComponent(() => import("./routes/login-route"), "LoginRoute"),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/register",
  validateSearch: (search: RawSearch) =>
    definedOnly({ next: textParam(search.next), invitation: textParam(search.invitation) }),
  component: lazyRouteComponent(() => import("./routes/register-route"), "RegisterRoute"),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: RawSearch) => definedOnly({ token: textParam(search.token) }),
  component: lazyRouteComponent(() => import("./routes/sign-in-route"), "SignInRoute"),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitations/$token",
  component: lazyRouteComponent(() => import("./routes/invitation-route"), "InvitationRoute"),
});

const signedInRoute = createRoute({
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
  component: lazyRouteComponent(() => import("./signed-in-layout"), "SignedInLayout"),
});

const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/projects",
  validateSearch: projectsSearch,
  component: lazyRouteComponent(() => import("./routes/projects-route"), "ProjectsRoute"),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/account",
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import("./routes/account-route"), "AccountRoute"),
});

const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/p/$slug",
  component: lazyRouteComponent(() => import("./project-layout"), "ProjectLayout"),
});

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/project-home-route"), "ProjectHomeRoute"),
});

const membersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/members",
  validateSearch: (search: RawSearch) => definedOnly({ invite: flagParam(search.invite) }),
  component: lazyRouteComponent(() => import("./routes/members-route"), "MembersRoute"),
});

const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/prompts",
  validateSearch: promptsSearch,
  component: lazyRouteComponent(() => import("./routes/prompts-route"), "PromptsRoute"),
});

const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/prompts/$promptId",
  validateSearch: promptSearch,
  component: lazyRouteComponent(() => import("./routes/prompt-route"), "PromptRoute"),
});

const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/datasets",
  validateSearch: datasetsSearch,
  component: lazyRouteComponent(() => import("./routes/datasets-route"), "DatasetsRoute"),
});

const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/datasets/$datasetId",
  validateSearch: datasetSearch,
  component: lazyRouteComponent(() => import("./routes/dataset-route"), "DatasetRoute"),
});

const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/models",
  validateSearch: modelsSearch,
  component: lazyRouteComponent(() => import("./routes/models-route"), "ModelsRoute"),
});

const settingsLayoutRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./routes/settings-layout"), "SettingsLayout"),
});

const settingsRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/settings-route"), "SettingsRoute"),
});

const providersRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: "/providers",
  validateSearch: (search: RawSearch) => definedOnly({ add: textParam(search.add) }),
  component: lazyRouteComponent(() => import("./routes/providers-route"), "ProvidersRoute"),
});

const auditRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./routes/audit-route"), "AuditRoute"),
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  loginRoute,
  registerRoute,
  signInRoute,
  invitationRoute,
  signedInRoute.addChildren([
    projectsRoute,
    accountRoute,
    projectRoute.addChildren([
      projectHomeRoute,
      promptsRoute,
      promptRoute,
      datasetsRoute,
      datasetRoute,
      modelsRoute,
      membersRoute,
      settingsLayoutRoute.addChildren([settingsRoute, providersRoute]),
      auditRoute,
    ]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
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
}
