import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Budget, LedgerEntry } from "@/api/types";
import type { Role } from "@/lib/permissions";
import { aBudget, aLedgerEntry } from "@/testing/budget-builders";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { BudgetChip } from "./budget-chip";
import { BudgetsPage } from "./budgets-page";
import { exportAddress } from "./queries";
import type { BudgetView } from "./view";

const AT = "projects/support-answers";
const NOON = "2026-01-15T12:00:00Z";

interface ServerState {
  role?: Role;
  view?: BudgetView;
  budgets?: Budget[];
  entries?: LedgerEntry[];
}

async function openBudgets({ role = "ADMIN", view = {}, budgets = [], entries = [] }: ServerState) {
  answer("get", `${AT}/budgets`, { items: budgets, next: null, total: budgets.length });
  answer("get", `${AT}/budgets/:id/burn-down`, {
    budget: budgets[0] ?? null,
    step: "day",
    points: [
      { at: "2026-01-14T00:00:00Z", spent_usd: "0.00" },
      { at: NOON, spent_usd: "4.00" },
    ],
    projection: [
      { at: NOON, spent_usd: "4.00" },
      { at: "2026-01-18T12:00:00Z", spent_usd: "10.00" },
    ],
    usd_per_day: "2.00",
    used_up_at: "2026-01-18T12:00:00Z",
  });
  answer("get", `${AT}/budgets/spending`, {
    by: "model",
    days: ["2026-01-14", "2026-01-15"],
    total_usd: "4.00",
    simulated_usd: "0.00",
    series: [
      { name: "gpt-4o", is_simulated: false, total_usd: "3.00", costs_usd: ["1.00", "2.00"] },
      { name: null, is_simulated: false, total_usd: "1.00", costs_usd: ["0.00", "1.00"] },
    ],
    groups: [],
  });
  const listed = answer("get", `${AT}/ledger`, {
    items: entries,
    next: null,
    total: entries.length,
  });
  answer("get", `${AT}/ledger/totals`, {
    calls: 2,
    failed_calls: 0,
    unpriced_calls: 0,
    simulated_usd: "0.00",
    unanswered_calls: 0,
    unanswered_usd: "0.00",
    cost_usd: "4.00",
    reserved_usd: "0.50",
    unconfirmed_calls: 1,
    unconfirmed_usd: "1.25",
    input_tokens: 12_345,
    output_tokens: 67,
  });
  answer("get", `${AT}/ledger/facets`, {
    purposes: ["answer", "try"],
    providers: ["openai"],
    models: ["gpt-4o"],
  });
  const onViewChanged = vi.fn();
  const page = await renderPage(
    <BudgetsPage project={aProject({ role })} view={view} onViewChanged={onViewChanged} />,
  );
  // Waits for six responses, which is slow on a busy machine.
  await screen.findByText("$4.00 in 2 days", {}, { timeout: 5000 });
  return { ...page, onViewChanged, listed };
}

describe("budgets", () => {
  it("says in words how each budget stands", async () => {
    await openBudgets({
      budgets: [
        aBudget({ reserved_usd: "1.50" }),
        aBudget({ id: "b2", period: "day", spent_usd: "10.00", state: "exhausted" }),
      ],
    });
    const total = await screen.findByRole("region", { name: "Project, in total" });
    expect(within(total).getByText("Within budget")).toBeInTheDocument();
    expect(within(total).getByText("$1.50 reserved for calls in flight")).toBeInTheDocument();
    expect(within(total).getByRole("meter")).toHaveAttribute(
      "aria-valuetext",
      "$4.00 of $10.00 spent (40%)",
    );
    const day = screen.getByRole("region", { name: "Project, per day" });
    expect(within(day).getByText("Used up: calls are blocked")).toBeInTheDocument();
    expect(
      await screen.findByText("At $2.00 per day, used up on Jan 18, 2026."),
    ).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("invites an admin to set the first limit, and a viewer to ask one", async () => {
    const { onViewChanged, user, unmount } = await openBudgets({});
    await user.click(await screen.findByRole("button", { name: "Create budget" }));
    expect(onViewChanged).toHaveBeenCalledWith({ create: true });
    unmount();
    await openBudgets({ role: "EDITOR" });
    expect(await screen.findByText(/has no spending limit/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /limit/ })).not.toBeInTheDocument();
  });

  it("offers the period that has no budget yet and puts complaints on their fields", async () => {
    const { user, onViewChanged } = await openBudgets({
      budgets: [aBudget({ period: "day" })],
      view: { create: true },
    });
    const dialog = await screen.findByRole("dialog", { name: "New project budget" });
    expect(within(dialog).getByRole("radio", { name: /Per day/ })).toBeDisabled();
    expect(within(dialog).getByRole("radio", { name: /Over 30 days/ })).toBeChecked();
    const limit = within(dialog).getByLabelText(/Limit in US dollars/);
    await user.type(limit, "ten");
    await user.click(within(dialog).getByRole("button", { name: "Create budget" }));
    expect(await within(dialog).findByText(/Enter an amount/)).toBeInTheDocument();
    await user.clear(limit);
    await user.type(limit, "12.5");
    refuse("post", `${AT}/budgets`, 409, {
      code: "DUPLICATE_BUDGET",
      message: "There is a budget for this scope and period already.",
      path: "period",
    });
    await user.click(within(dialog).getByRole("button", { name: "Create budget" }));
    expect(await within(dialog).findByText(/scope and period already/)).toBeInTheDocument();
    const sent = answer("post", `${AT}/budgets`, aBudget(), { status: 201 });
    await user.click(within(dialog).getByRole("button", { name: "Create budget" }));
    await waitFor(() => expect(onViewChanged).toHaveBeenCalledWith({ create: undefined }));
    expect(sent[0]?.body).toEqual({
      scope: "project",
      period: "rolling_30_days",
      limit_usd: "12.5",
      alert_threshold: 0.8,
      counts_simulated: false,
    });
  });

  it("sends a changed limit and threshold", async () => {
    const { user } = await openBudgets({ budgets: [aBudget()], view: { edit: "b1" } });
    const changed = answer("patch", `${AT}/budgets/b1`, aBudget());
    const dialog = await screen.findByRole("dialog", { name: "Change limit" });
    const alertAt = within(dialog).getByLabelText(/Alert at/);
    await user.clear(alertAt);
    await user.type(alertAt, "50");
    await user.click(within(dialog).getByRole("button", { name: "Save changes" }));
    await waitFor(() =>
      expect(changed[0]?.body).toEqual({
        limit_usd: "10.00",
        alert_threshold: 0.5,
        counts_simulated: false,
      }),
    );
  });

  it("deletes only after a question", async () => {
    const { user } = await openBudgets({ budgets: [aBudget()] });
    const removed = answer("delete", `${AT}/budgets/b1`, null);
    await user.click(await screen.findByRole("button", { name: /^Actions for Project/ }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this budget?" });
    expect(removed).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Delete budget" }));
    await waitFor(() => expect(removed).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  });
});

describe("the ledger", () => {
  it("distinguishes charged, unconfirmed and running calls", async () => {
    await openBudgets({
      entries: [
        aLedgerEntry(),
        aLedgerEntry({ id: "e2", state: "reserved", cost_usd: null, input_tokens: null }),
        aLedgerEntry({ id: "e3", state: "unconfirmed", failure: "timeout" }),
        aLedgerEntry({ id: "e4", run_id: "r1", calls: 340, cost_usd: "4.2" }),
      ],
    });
    const table = await screen.findByRole("table", { name: "Ledger" });
    expect(within(table).getAllByText("1,200 in, 30 out")).toHaveLength(3);
    expect(within(table).getByText("340 calls of a deleted run")).toBeInTheDocument();
    expect(within(table).getByText("up to $0.05")).toBeInTheDocument();
    expect(within(table).getByText("Timed out")).toBeInTheDocument();
    expect(within(table).getAllByText("$0.01")).toHaveLength(2);
    expect(await screen.findByText("12,345")).toBeInTheDocument();
    expect(screen.getByText("$1.25")).toBeInTheDocument();
    expect(await axeViolations(screen.getByRole("region", { name: "Ledger" }))).toEqual([]);
  });

  it("asks for what the address says and exports the same", async () => {
    const view: BudgetView = { purpose: "answer", from: "2026-01-01", sort: "dearest" };
    const { listed } = await openBudgets({ view });
    expect(await screen.findByText("No results")).toBeInTheDocument();
    expect(Object.fromEntries(listed[0]?.url.searchParams ?? [])).toEqual({
      purpose: "answer",
      from: "2026-01-01",
      sort: "-cost",
      limit: "50",
    });
    expect(screen.getByRole("link", { name: "Export CSV" })).toHaveAttribute(
      "href",
      exportAddress("support-answers", { purpose: "answer", from: "2026-01-01" }),
    );
  });

  it("filters by choice, by run, and back", async () => {
    const run = "01a1de95-f10d-7c9e-85d0-74c2d76c8855";
    const { user, onViewChanged } = await openBudgets({
      view: { model: "gone-model" },
      entries: [aLedgerEntry({ purpose: "answer", run_id: run })],
    });
    expect(screen.getByRole("combobox", { name: "Model" })).toHaveTextContent("gone-model");
    await user.click(screen.getByRole("combobox", { name: "Purpose" }));
    await user.click(await screen.findByRole("option", { name: "Answers" }));
    expect(onViewChanged).toHaveBeenLastCalledWith({ purpose: "answer" });
    await user.click(await screen.findByRole("button", { name: "Run d76c8855" }));
    expect(onViewChanged).toHaveBeenLastCalledWith({ run_id: run });
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(onViewChanged.mock.lastCall?.[0]).toMatchObject({ model: undefined, q: undefined });
  });
});

describe("the budget on every page", () => {
  it("shows the budget that would stop work first, and nothing without one", async () => {
    answer("get", `${AT}/budgets/state`, {
      state: "alert",
      budget: aBudget({ spent_usd: "8.59", state: "alert" }),
    });
    const { unmount } = await renderPage(<BudgetChip slug="support-answers" />);
    expect(
      await screen.findByRole("link", { name: "Near the limit. $8.59 of $10.00 spent (85.9%)" }),
    ).toHaveTextContent("85%");
    unmount();
    const asked = answer("get", `${AT}/budgets/state`, { state: "unlimited", budget: null });
    await renderPage(<BudgetChip slug="support-answers" />);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
  });
});
