import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, Outlet, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ParseKeys } from "i18next";
import { http, HttpResponse, type JsonBodyType } from "msw";
import { describe, expect, it } from "vitest";
import { meQuery } from "@/api/session";
import { projectRoute } from "@/app/areas/frame";
import { ProjectContext } from "@/app/project-context";
import { createAppRouter, type AppRouter } from "@/app/router";
import { i18n } from "@/lib/i18n";
import { aProject, aSignIn } from "./builders";
import { answer, fakeServer, refuse } from "./fake-server";
import { axeViolations } from "./render";

const PROJECT = aProject();
const NOTHING: JsonBodyType = { items: [], next: null, total: 0 };
const ASK = "POST ";
const MESSAGE = "The disk is full.";

/** A page of a list, as returned by the API. */
export const listOf = (...items: object[]) =>
  ({ items, next: null, total: items.length }) as JsonBodyType;

// jsdom has no EventSource; this one never emits.
globalThis.EventSource = class extends EventTarget {
  close = () => undefined;
} as unknown as typeof EventSource;

// The project of every page, without the layout.
projectRoute.update({
  component: () => (
    <ProjectContext value={PROJECT}>
      <Outlet />
    </ProjectContext>
  ),
});

/** A role and a name: a translation key, or text from the responses. */
type Shown = readonly [role: string, name: ParseKeys | (string & {}) | RegExp];

export interface PageStates {
  /** Route parameters besides the project. */
  params?: Record<string, string>;
  search?: string;
  /** Path of the page's main request: below the project, or below /api/v1 with a leading "/". */
  reads: string;
  filled: JsonBodyType;
  /** Expected content of the filled page. */
  shows: Shown;
  /** A command in the menu of the first row. */
  command?: ParseKeys;
  /**
   * Expected empty state and next step. Omitted for pages about a single resource, which show "not
   * found"; null for pages that are never empty.
   */
  empty?: null | {
    answer?: JsonBodyType;
    text: ParseKeys;
    next?: readonly ["button" | "link", ParseKeys];
  };
  /** Responses of other paths, prefixed with "POST " for a POST; lists are empty by default. */
  responses?: Record<string, JsonBodyType>;
}

function nameOf(name: string | RegExp): string | RegExp {
  if (typeof name !== "string") {
    return name;
  }
  const key = name as ParseKeys;
  return i18n.exists(name) ? i18n.t(key) : name;
}

const pathOf = (address: string) =>
  address.startsWith("/") ? address.slice(1) : `projects/${PROJECT.slug}/${address}`;

type Route = keyof AppRouter["routesByPath"];
type Opening = Pick<PageStates, "params" | "search" | "responses">;

/** Opens a route with the given API responses. `prepare` adds responses that take precedence. */
export async function renderRoute(route: Route, opening: Opening, prepare: () => void) {
  const { params = {}, search = "", responses = {} } = opening;
  const values: Record<string, string> = { slug: PROJECT.slug, ...params };
  const address = route.replace(/\$(\w+)/g, (_, name: string) => values[name] ?? name);
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
  });
  queryClient.setQueryData(meQuery.queryKey, aSignIn());
  fakeServer.use(http.get("*/api/v1/*", () => HttpResponse.json(NOTHING)));
  for (const [path, body] of Object.entries(responses)) {
    const isAsked = path.startsWith(ASK);
    answer(isAsked ? "post" : "get", pathOf(isAsked ? path.slice(ASK.length) : path), body);
  }
  prepare();
  const history = createMemoryHistory({ initialEntries: [`${address}${search}`] });
  const router = createAppRouter(queryClient, history);
  await router.load();
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, router, queryClient, user: userEvent.setup() };
}

/** Tests that a page shows why one of its lists failed, and tries again. */
export function describeFailedReads(
  route: Route,
  { lists, ...opening }: Opening & { lists: readonly string[] },
): void {
  describe(`the page ${route}${opening.search ?? ""}`, () => {
    it.each(lists)("shows that %s failed, and tries again", async (list) => {
      const { user } = await renderRoute(route, opening, () =>
        refuse("get", pathOf(list), 500, { code: "X", message: MESSAGE }),
      );
      const [shown] = await screen.findAllByText(MESSAGE);
      const alert = within(shown?.closest<HTMLElement>("[role=alert]") ?? document.body);
      answer("get", pathOf(list), opening.responses?.[list] ?? NOTHING);
      await user.click(alert.getByRole("button", { name: i18n.t("ui.retry") }));
      await waitFor(() => expect(screen.queryByText(MESSAGE)).not.toBeInTheDocument());
    });
  });
}

/** Tests of the states every page has: loading, error and retry, empty or missing, filled. */
export function describePage(route: Route, states: PageStates): void {
  const { t } = i18n;
  const path = pathOf(states.reads);
  const role = states.shows[0];
  const name = nameOf(states.shows[1]);
  const open = (prepare: () => void) => renderRoute(route, states, prepare);
  const notFilled = () => expect(screen.queryByRole(role, { name })).not.toBeInTheDocument();

  describe(`the page ${route}`, () => {
    it("shows that it is loading", async () => {
      let isAsked = false;
      await open(() =>
        fakeServer.use(
          http.get(`*/api/v1/${path}`, () => {
            isAsked = true;
            return new Promise<never>(() => undefined);
          }),
        ),
      );
      await waitFor(() => expect(isAsked).toBe(true));
      expect(screen.getAllByText(t("ui.loading"))[0]).toBeInTheDocument();
      notFilled();
    });

    it("shows why it failed, and tries again", async () => {
      const { user } = await open(() => refuse("get", path, 500, { code: "X", message: MESSAGE }));
      const alert = (await screen.findByText(MESSAGE)).closest<HTMLElement>("[role=alert]");
      notFilled();
      answer("get", path, states.filled);
      await user.click(within(alert ?? document.body).getByRole("button", { name: t("ui.retry") }));
      expect((await screen.findAllByRole(role, { name }))[0]).toBeVisible();
      expect(screen.queryByText(MESSAGE)).not.toBeInTheDocument();
    });

    const { empty } = states;
    if (empty === undefined) {
      it("shows that it does not exist", async () => {
        await open(() => refuse("get", path, 404, { code: "NOT_FOUND", message: MESSAGE }));
        expect(await screen.findByRole("alert")).toHaveTextContent(t("problem.title.notFound"));
        notFilled();
      });
    } else if (empty !== null) {
      it("shows what comes here, and the next step", async () => {
        await open(() => answer("get", path, empty.answer ?? NOTHING));
        expect(await screen.findByText(t(empty.text))).toBeVisible();
        notFilled();
        if (empty.next !== undefined) {
          const [kind, label] = empty.next;
          expect(screen.getAllByRole(kind, { name: t(label) })[0]).toBeVisible();
        }
      });
    }

    it("shows what there is", async () => {
      const { user } = await open(() => answer("get", path, states.filled));
      expect((await screen.findAllByRole(role, { name }))[0]).toBeVisible();
      expect(screen.queryByRole("alert")).not.toBeInTheDocument();
      expect(await axeViolations()).toEqual([]);
      if (states.command !== undefined) {
        screen.getByRole("button", { name: t("lists.menu", { name: String(name) }) }).focus();
        await user.keyboard("{Enter}");
        expect(await screen.findByRole("menuitem", { name: t(states.command) })).toBeVisible();
      }
    });
  });
}
