import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Destination } from "@/api/types";
import type { Role } from "@/lib/permissions";
import { aNotificationKind } from "@/testing/account-builders";
import { aProject } from "@/testing/builders";
import { aDelivery, aDestination, CHANNELS } from "@/testing/destination-builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { DestinationsPage } from "./destinations-page";

const BASE = "projects/support-answers/destinations";
const list = (items: object[]) => ({ items, next: null, total: items.length }) as never;

async function openPage(destinations: Destination[], role: Role = "ADMIN") {
  answer("get", BASE, list(destinations));
  answer("get", `${BASE}/channels`, list(CHANNELS));
  answer("get", "notifications/kinds", list([aNotificationKind()]));
  return renderPage(<DestinationsPage project={aProject({ role })} />);
}

describe("destinations", () => {
  it("adds a webhook and shows its secret once", async () => {
    const { user } = await openPage([]);
    const [add] = await screen.findAllByRole("button", { name: "Add destination" });
    await user.click(add ?? document.body);
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Add destination" }));
    expect(await dialog.findByText("Enter an address.")).toBeVisible();
    expect(dialog.getByText("Choose at least one event.")).toBeVisible();
    await user.type(dialog.getByRole("textbox", { name: /Name/ }), "On-call");
    await user.click(dialog.getByLabelText(/URL of the receiver/));
    await user.paste("https://hooks.example.org/x");
    await user.click(dialog.getByRole("checkbox", { name: "Review requested" }));
    refuse("post", BASE, 400, {
      code: "VALIDATION_ERROR",
      message: "10.0.0.1 is in a private network.",
      details: [
        { field: "address", message: "10.0.0.1 is in a private network.", code: "address_refused" },
      ],
    });
    await user.click(dialog.getByRole("button", { name: "Add destination" }));
    expect(await dialog.findByText("10.0.0.1 is in a private network.")).toBeVisible();
    const sent = answer("post", BASE, { destination: aDestination(), secret: "whsec_x" });
    await user.click(dialog.getByRole("button", { name: "Add destination" }));
    expect(await dialog.findByDisplayValue("whsec_x")).toBeVisible();
    expect(sent[0]?.body).toEqual({
      channel: "webhook",
      name: "On-call",
      address: "https://hooks.example.org/x",
      kinds: ["review_waiting"],
      includes_content: false,
    });
    expect(await axeViolations()).toEqual([]);
  });

  it("sends a test and says why it failed", async () => {
    const { user } = await openPage([aDestination()]);
    const failed = aDelivery({ is_test: true, state: "failed" });
    const sent = answer("post", `${BASE}/:id/test`, failed as never);
    await user.click(await screen.findByRole("button", { name: "Send a test message to On-call" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(await screen.findByText(/The receiver answered 500\./)).toBeVisible();
  });

  it("shows the log and sends again", async () => {
    const { user } = await openPage([aDestination()]);
    answer("get", `${BASE}/:id/deliveries`, list([aDelivery()]));
    const sent = answer("post", `${BASE}/:id/deliveries/:delivery/redeliver`, aDelivery() as never);
    await user.click(await screen.findByRole("button", { name: "Actions for On-call" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delivery log" }));
    const log = within(await screen.findByRole("dialog", { name: /Deliveries to On-call/ }));
    expect(await log.findByText("Internal error")).toBeVisible();
    expect(log.getByText(/2 attempts/)).toBeVisible();
    expect(await axeViolations()).toEqual([]);
    await user.click(log.getByRole("button", { name: /^Redeliver/ }));
    await waitFor(() => expect(sent[0]?.url.pathname).toContain("/d1/deliveries/v1/redeliver"));
  });

  it("offers to enable one that is off, and to rotate only what is signed", async () => {
    const off = aDestination({
      channel: "slack",
      is_enabled: false,
      disabled_reason: "gone",
      last_failure: "The receiver answered 410.",
    });
    const { user } = await openPage([off]);
    expect(await screen.findByText("Off: receiver answered 410")).toBeVisible();
    const sent = answer("post", `${BASE}/:id/enable`, aDestination() as never);
    await user.click(screen.getByRole("button", { name: "Actions for On-call" }));
    expect(screen.queryByRole("menuitem", { name: "Rotate secret" })).toBeNull();
    await user.click(await screen.findByRole("menuitem", { name: "Enable" }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("is for admins", async () => {
    await openPage([], "EDITOR");
    expect(await screen.findByText(/Only admins/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Add destination" })).toBeNull();
  });
});
