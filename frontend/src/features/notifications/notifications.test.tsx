import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Notification } from "@/api/types";
import { aNotification, aNotificationKind } from "@/testing/account-builders";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { NotificationBell } from "./notification-bell";
import { NotificationsPage } from "./notifications-page";
import { PreferencesCard } from "./preferences-card";
import type { NotificationFilters } from "./queries";

const KINDS = [
  aNotificationKind(),
  aNotificationKind({ kind: "partial_failure", label: "Failure", icon: "failure" }),
  aNotificationKind({ kind: "run_finished", label: "Iteration scored", icon: "done" }),
];

function serveKinds() {
  answer("get", "notifications/kinds", { items: KINDS, next: null, total: KINDS.length });
}

function serve(items: Notification[], next: string | null = null) {
  const unread = items.filter(({ read_at }) => read_at === null).length;
  serveKinds();
  answer("get", "notifications/unread-count", { count: unread });
  answer("get", "projects", { items: [aProject()], next: null, total: 1 });
  return answer("get", "notifications", { items, next, total: items.length });
}

const SEVERAL = [
  aNotification(),
  aNotification({ id: "n2", kind: "partial_failure", title: "4 answers failed" }),
  aNotification({
    id: "n3",
    kind: "budget_alert",
    path: "/p/p1/budgets",
    title: "80% of the budget is spent",
    read_at: "2026-01-15T11:00:00Z",
  }),
  aNotification({ id: "n4", kind: "run_finished", project_id: "gone", title: "Measured" }),
  aNotification({
    id: "n5",
    title: "Better replies #3: 1 suggestion to review",
    path: "/p/p1/reviews/s1",
    read_at: "2026-01-15T11:00:00Z",
  }),
  aNotification({
    id: "n6",
    kind: "run_finished",
    title: "Better replies #3 is scored",
    path: "/p/p1/experiments/e1/iterations/i3",
    read_at: "2026-01-15T11:00:00Z",
  }),
];

describe("the bell", () => {
  it("leads to where something can be done, and notes what was followed", async () => {
    serve(SEVERAL);
    const marked = answer("post", "notifications/:id/read", null);
    const { user } = await renderPage(<NotificationBell />);
    const bell = await screen.findByRole("button", { name: "Notifications, 3 unread" });
    bell.focus();
    await user.keyboard("{Enter}");
    const list = await screen.findByRole("list", { name: "Latest notifications" });
    const links = within(list)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
    expect(links).toEqual([
      "/p/support-answers/experiments/e1",
      "/p/support-answers/experiments/e1",
      "/p/support-answers/budgets",
      "/p/support-answers/reviews/s1",
      "/p/support-answers/experiments/e1/iterations/i3",
    ]);
    expect(list).toHaveTextContent("A project you left");
    expect(await axeViolations()).toEqual([]);
    await user.click(within(list).getByRole("link", { name: /3 suggestions to review/ }));
    await waitFor(() => expect(marked[0]?.url.pathname).toBe("/api/v1/notifications/n1/read"));
    await waitFor(() => expect(list).not.toBeInTheDocument());
  });

  it("marks one or all without leaving, and gives the focus back", async () => {
    serve(SEVERAL);
    const one = answer("post", "notifications/:id/read", null);
    const all = answer("post", "notifications/read-all", { count: 0 });
    const { user } = await renderPage(<NotificationBell />);
    const bell = await screen.findByRole("button", { name: "Notifications, 3 unread" });
    await user.click(bell);
    await user.click(await screen.findByRole("button", { name: "Mark as read: 4 answers failed" }));
    await waitFor(() => expect(one[0]?.url.pathname).toContain("/n2/read"));
    serve(SEVERAL.map((each) => ({ ...each, read_at: "2026-01-15T12:00:00Z" })));
    await user.click(screen.getByRole("button", { name: "Mark all as read" }));
    await waitFor(() => expect(all).toHaveLength(1));
    await waitFor(() => expect(bell).toHaveAccessibleName("Notifications"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(bell).toHaveFocus());
  });

  it("says so when there is nothing, or nothing can be read", async () => {
    serve([]);
    const { user } = await renderPage(<NotificationBell />);
    await user.click(await screen.findByRole("button", { name: "Notifications" }));
    expect(await screen.findByText("No notifications")).toBeVisible();
    refuse("get", "notifications", 503, { code: "BUSY" });
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Notifications" }));
    expect(await screen.findByRole("button", { name: "Retry" })).toBeVisible();
  });
});

describe("the page", () => {
  it("asks for what is filtered, and for more", async () => {
    serve(SEVERAL.slice(0, 2), "next-page");
    const onFiltersChanged = vi.fn<(filters: NotificationFilters) => void>();
    const { user } = await renderPage(
      <NotificationsPage
        filters={{ unread: true, kind: "partial_failure", project: "p1" }}
        onFiltersChanged={onFiltersChanged}
      />,
    );
    const more = await screen.findByRole("button", { name: "Load more" });
    const seen = serve(SEVERAL.slice(2));
    await user.click(more);
    expect(await screen.findByText("Measured")).toBeVisible();
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      limit: "30",
      cursor: "next-page",
      is_unread: "true",
      kind: "partial_failure",
      project_id: "p1",
    });
    await user.click(screen.getByRole("radio", { name: "All" }));
    expect(onFiltersChanged).toHaveBeenLastCalledWith({
      unread: undefined,
      kind: "partial_failure",
      project: "p1",
    });
    expect(await axeViolations()).toEqual([]);
  });

  it("offers everything when nothing matches", async () => {
    serve([]);
    const onFiltersChanged = vi.fn<(filters: NotificationFilters) => void>();
    const { user } = await renderPage(
      <NotificationsPage filters={{ unread: true }} onFiltersChanged={onFiltersChanged} />,
    );
    await user.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(onFiltersChanged).toHaveBeenLastCalledWith({});
  });
});

describe("preferences", () => {
  const preferences = [
    { kind: "review_waiting", in_app: true, by_email: true },
    { kind: "run_finished", in_app: true, by_email: false },
  ];

  it("keeps each switch at once", async () => {
    serveKinds();
    answer("get", "notifications/preferences", { is_email_available: true, preferences });
    const kept = answer("put", "notifications/preferences", {
      is_email_available: true,
      preferences,
    });
    const { user } = await renderPage(<PreferencesCard />);
    await user.click(await screen.findByRole("switch", { name: "Iteration scored: email" }));
    await waitFor(() =>
      expect(kept[0]?.body).toEqual({
        preferences: [{ kind: "run_finished", in_app: true, by_email: true }],
      }),
    );
    expect(await axeViolations()).toEqual([]);
  });

  it("says why nothing comes by email", async () => {
    serveKinds();
    answer("get", "notifications/preferences", { is_email_available: false, preferences });
    await renderPage(<PreferencesCard />);
    expect(await screen.findByText("Email is not set up")).toBeVisible();
    expect(screen.getByRole("switch", { name: "Review requested: email" })).toBeDisabled();
    expect(screen.getByRole("switch", { name: "Review requested: in Edison" })).toBeEnabled();
  });
});
