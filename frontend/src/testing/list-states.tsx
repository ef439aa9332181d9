import { screen, within } from "@testing-library/react";
import { http } from "msw";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { answer, fakeServer, refuse } from "./fake-server";
import { axeViolations, renderPage } from "./render";

export interface ListStates {
  /** The page for somebody who may edit. */
  page: () => ReactElement;
  /** Where its list is read, under /api/v1. */
  path: string;
  row: { name: string } & Record<string, unknown>;
  /** The title of the state without any entry. */
  empty: string;
  /** One of the commands that the menu of a row offers. */
  command: string;
  /** Answers to whatever else the page reads. */
  around?: () => void;
}

const page = (items: object[]) => ({ items, next: null, total: items.length });

/** What every list has to do: wait, fail and try again, say what to do first, and list. */
export function describeListStates(title: string, states: ListStates): void {
  const open = () => {
    states.around?.();
    return renderPage(states.page());
  };

  describe(`${title}, as any list`, () => {
    it("says that it is loading", async () => {
      fakeServer.use(
        http.get(`*/api/v1/${states.path}`, () => new Promise<never>(() => undefined)),
      );
      await open();
      expect(screen.getByText(/^Loading/)).toBeInTheDocument();
      expect(screen.queryByRole("table")).not.toBeInTheDocument();
    });

    it("says what went wrong, and reads again when asked to", async () => {
      refuse("get", states.path, 500, { code: "INTERNAL", message: "Out of order." });
      const { user } = await open();
      const again = await screen.findByRole("button", { name: "Retry" });
      answer("get", states.path, page([states.row]));
      await user.click(again);
      expect(await screen.findByRole("link", { name: states.row.name })).toBeVisible();
    });

    it("says what to do first where there is nothing", async () => {
      answer("get", states.path, page([]));
      await open();
      expect(await screen.findByText(states.empty)).toBeVisible();
      expect(screen.queryByRole("table")).not.toBeInTheDocument();
    });

    it("lists what there is, with a menu that the keyboard opens", async () => {
      answer("get", states.path, page([states.row]));
      const { user } = await open();
      const table = await screen.findByRole("table");
      expect(within(table).getByRole("link", { name: states.row.name })).toBeVisible();
      expect(await axeViolations()).toEqual([]);
      screen.getByRole("button", { name: `Actions for ${states.row.name}` }).focus();
      await user.keyboard("{Enter}");
      expect(await screen.findByRole("menuitem", { name: states.command })).toBeVisible();
    });
  });
}
