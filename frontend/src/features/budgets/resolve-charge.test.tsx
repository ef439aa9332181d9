import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aLedgerEntry } from "@/testing/budget-builders";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ResolveChargeDialog } from "./resolve-charge-dialog";

const AT = "projects/support-answers/ledger/e1";
const NOTE = "Compared with the invoice of May.";
const entry = aLedgerEntry({ state: "unconfirmed", reserved_usd: "0.05", cost_usd: "0.05" });

async function openDialog() {
  const onClosed = vi.fn();
  const page = await renderPage(
    <ResolveChargeDialog project={aProject()} entry={entry} onClosed={onClosed} />,
  );
  return { ...page, onClosed };
}

describe("an unconfirmed charge", () => {
  it("is settled at what the provider billed", async () => {
    const settled = answer("post", `${AT}/settle`, { ...entry, state: "settled" });
    const { user, onClosed } = await openDialog();
    await user.type(screen.getByLabelText(/Amount/), "0.004");
    await user.type(screen.getByLabelText(/Note/), "too short");
    await user.click(screen.getByRole("button", { name: "Confirm charge" }));
    expect(await screen.findByText("Enter 10 to 500 characters.")).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
    await user.clear(screen.getByLabelText(/Note/));
    await user.type(screen.getByLabelText(/Note/), NOTE);
    await user.click(screen.getByRole("button", { name: "Confirm charge" }));
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalled());
    expect(settled.map((each) => each.body)).toEqual([
      { amount_usd: "0.004", note: NOTE, is_above_reservation_confirmed: false },
    ]);
  });

  it("asks again before more than the reservation is charged", async () => {
    const { user } = await openDialog();
    await user.type(screen.getByLabelText(/Amount/), "0.06");
    expect(
      await screen.findByRole("checkbox", { name: /cost more than its reservation/ }),
    ).toBeInTheDocument();
  });

  it("is voided without an amount, and says when another member was faster", async () => {
    refuse("post", `${AT}/void`, 409, { code: "NOT_UNCONFIRMED", message: "Already resolved." });
    const { user, onClosed } = await openDialog();
    await user.click(screen.getByRole("radio", { name: /was not billed/ }));
    expect(screen.queryByLabelText(/Amount/)).not.toBeInTheDocument();
    await user.type(screen.getByLabelText(/Note/), NOTE);
    await user.click(screen.getByRole("button", { name: "Void charge" }));
    expect(await screen.findByText("Already resolved.")).toBeInTheDocument();
    expect(onClosed).not.toHaveBeenCalled();
  });
});
