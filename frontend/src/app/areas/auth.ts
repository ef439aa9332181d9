import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { definedOnly, textParam, type RawSearch } from "@/lib/search";
import { rootRoute } from "./frame";

/** Routes for users who are not signed in. */
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
  component: lazyRouteComponent(() => import("../routes/login-route"), "LoginRoute"),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/register",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      next: textParam(search.next),
      invitation: textParam(search.invitation),
      proof: textParam(search.proof),
    }),
  component: lazyRouteComponent(() => import("../routes/register-route"), "RegisterRoute"),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: RawSearch) =>
    definedOnly({ token: textParam(search.token), next: textParam(search.next) }),
  component: lazyRouteComponent(() => import("../routes/sign-in-route"), "SignInRoute"),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/confirm-email",
  component: lazyRouteComponent(() => import("../routes/confirm-email-route"), "ConfirmEmailRoute"),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  component: lazyRouteComponent(
    () => import("../routes/forgot-password-route"),
    "ForgotPasswordRoute",
  ),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  component: lazyRouteComponent(
    () => import("../routes/reset-password-route"),
    "ResetPasswordRoute",
  ),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitations/$token",
  component: lazyRouteComponent(() => import("../routes/invitation-route"), "InvitationRoute"),
});

export const authRoutes = [
  indexRoute,
  loginRoute,
  registerRoute,
  signInRoute,
  confirmEmailRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
] as const;
