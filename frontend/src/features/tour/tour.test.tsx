import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aProject, aSignIn } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { Tour } from "./tour";
import { TourOffer } from "./tour-offer";

const listOf = (...items: object[]) => ({ items, next: null, total: items.length }) as never;

describe("the tour", () => {
  it("leads through the demo by keyboard, and ends on Escape", async () => {
    const demo = aProject({ slug: "demo", is_demo: true });
    answer("get", "projects", listOf(aProject(), demo));
    answer("get", "projects/demo/experiments", listOf());
    const onClosed = vi.fn();
    const { user } = await renderPage(<Tour onClosed={onClosed} />);
    const card = await screen.findByRole("dialog", { name: "What waits for you" });
    await waitFor(() => expect(card).toHaveFocus());
    expect(await axeViolations(card)).toEqual([]);
    await user.keyboard("{Enter}");
    expect(screen.getByRole("dialog", { name: "Models side by side" })).toHaveFocus();
    await user.keyboard("{ArrowLeft}");
    expect(screen.getByText("Step 1 of 9")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(onClosed).toHaveBeenCalledOnce();
  });

  it("says so when the demo was deleted", async () => {
    answer("get", "projects", listOf(aProject()));
    await renderPage(<Tour onClosed={vi.fn()} />);
    expect(await screen.findByRole("dialog", { name: "No demo project" })).toBeVisible();
  });
});

describe("the offer of the tour", () => {
  it("is declined once for the account", async () => {
    const { user: person, session } = aSignIn();
    const me = { user: person, session };
    answer("get", "auth/me", me);
    const changes = answer("patch", "auth/me", { ...person, has_seen_tour: true });
    const { user } = await renderPage(<TourOffer onStarted={vi.fn()} />);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Not now" })).toBeNull());
    expect(changes.map(({ body }) => body)).toEqual([{ has_seen_tour: true }]);
  });

  it("is not made to a person who has seen it elsewhere", async () => {
    const me = aSignIn();
    answer("get", "auth/me", { ...me, user: { ...me.user, has_seen_tour: true } });
    await renderPage(
      <>
        <TourOffer onStarted={vi.fn()} />
        <p>Page</p>
      </>,
    );
    expect(await screen.findByText("Page")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Not now" })).toBeNull();
  });
});
