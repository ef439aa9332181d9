import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { createAppRouter } from "./router";

const SOURCES = import.meta.glob<string>("../features/*/pages.test.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Routes that show no data: forms and links, tested with their features. */
const FORMS = [
  "/login",
  "/sign-in",
  "/confirm-email",
  "/forgot-password",
  "/reset-password",
  "/p/$slug/runs/new",
  "/p/$slug/scorers/rubrics/new",
];

const testedRoutes = Object.values(SOURCES).flatMap((source) =>
  [...source.matchAll(/describePage\("([^"]+)"/g)].map(([, route]) => route),
);

/** All routes of the application, and whether they are in the navigation. */
function pages() {
  const { routesByPath } = createAppRouter(new QueryClient());
  return Object.values(routesByPath)
    .filter(({ options }) => options.component !== undefined)
    .map(({ fullPath, options }) => ({
      route: fullPath.replace(/(.)\/$/, "$1"),
      isListed: options.staticData?.page !== undefined,
    }));
}

describe("the states of pages", () => {
  it("are tested for every page of the navigation", () => {
    const listed = pages().filter(({ isListed }) => isListed);
    expect(listed.length).toBeGreaterThan(10);
    expect(
      listed.map(({ route }) => route).filter((route) => !testedRoutes.includes(route)),
    ).toEqual([]);
  });

  it("are tested for every other route that shows data", () => {
    const missing = pages()
      .map(({ route }) => route)
      .filter((route) => !testedRoutes.includes(route) && !FORMS.includes(route));
    expect(missing).toEqual([]);
  });
});
