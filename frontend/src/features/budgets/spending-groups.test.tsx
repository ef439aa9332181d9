import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answer } from "@/testing/fake-server";
import { renderPage } from "@/testing/render";
import { SpendingGroups } from "./spending-groups";

const aGroup = (number: number) => ({
  name: number === 0 ? "Nightly check" : `Run ${number}`,
  run_id: `r${number}`,
  is_simulated: false,
  calls: 3,
  input_tokens: 1_500,
  output_tokens: 40,
  cost_usd: "3.00",
});

it("lists calls and tokens of the dearest runs first, then of all, with a file", async () => {
  answer("get", "projects/support-answers/budgets/spending", {
    by: "run",
    days: [],
    series: [],
    total_usd: "30.00",
    simulated_usd: "0.00",
    groups: Array.from({ length: 10 }, (_, number) => aGroup(number)),
  });
  const { user } = await renderPage(<SpendingGroups slug="support-answers" by="run" days="30" />);
  const table = await screen.findByRole("table", { name: "By run" });
  expect(
    within(table).getByRole("row", { name: /Nightly check.*3.*1,500.*40.*\$3\.00/ }),
  ).toBeInTheDocument();
  expect(within(table).getByRole("link", { name: "Nightly check" })).toHaveAttribute(
    "href",
    "/p/support-answers/runs/r0",
  );
  expect(within(table).queryByText("Run 9")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show all 10" }));
  expect(within(table).getByText("Run 9")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
    "href",
    "/api/v1/projects/support-answers/budgets/spending/export?by=run&days=30",
  );
});
