import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answer } from "@/testing/fake-server";
import { renderPage } from "@/testing/render";
import { LedgerTotals } from "./ledger-totals";

const TOTALS = {
  calls: 3,
  failed_calls: 0,
  unpriced_calls: 0,
  simulated_usd: "0.00",
  unanswered_calls: 0,
  unanswered_usd: "0.00",
  cost_usd: "0.00",
  reserved_usd: "0.50",
  unconfirmed_calls: 0,
  unconfirmed_usd: "0.25",
  input_tokens: 12,
  output_tokens: 6,
};

async function costOf(totals: Partial<typeof TOTALS>) {
  answer("get", "projects/team/ledger/totals", { ...TOTALS, ...totals });
  await renderPage(<LedgerTotals slug="team" filters={{}} />);
  await screen.findByText("$0.50");
  return screen.getByText("Cost").parentElement;
}

describe("the cost of the ledger", () => {
  it("is unknown while no call has a price", async () => {
    expect(await costOf({ unpriced_calls: 3 })).toHaveTextContent("Unknown");
  });

  it("says that calls of unknown price are not in the sum", async () => {
    const cost = await costOf({ unpriced_calls: 1, cost_usd: "1.20" });
    expect(cost).toHaveTextContent("$1.20");
    expect(screen.getByRole("button", { name: "What does Cost mean?" })).toBeVisible();
  });
});
