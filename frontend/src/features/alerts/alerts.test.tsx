import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { anAlert } from "@/testing/monitor-builders";
import { listOf } from "@/testing/pages";
import { axeViolations, renderPage } from "@/testing/render";
import { AlertBanner } from "./alert-banner";
import { actionsFor } from "./alert-dialog";
import { OpenAlertCount } from "./open-alert-count";

const PATH = "projects/support/alerts";
const project = aProject({ slug: "support" });

describe("an alert", () => {
  it("allows what its state allows", () => {
    expect(actionsFor(anAlert())).toEqual(["acknowledge", "mute", "resolve"]);
    expect(actionsFor(anAlert({ state: "acknowledged" }))).toEqual(["mute", "resolve"]);
    expect(actionsFor(anAlert({ state: "resolved" }))).toEqual([]);
  });

  it("is acknowledged with a note, and leads to the worst cases", async () => {
    const evidence = { ...anAlert().evidence, variant: 1 };
    answer("get", PATH, listOf(anAlert({ evidence })));
    const acknowledged = answer("post", `${PATH}/al1/acknowledge`, anAlert());
    const { user } = await renderPage(<AlertBanner project={project} monitorId="mo1" />);
    await user.click(await screen.findByRole("button", { name: /^Acknowledge/ }));
    const dialog = await screen.findByRole("dialog", { name: "Acknowledge the alert?" });
    await user.type(within(dialog).getByLabelText(/^Note/), "Looking");
    await user.click(within(dialog).getByRole("button", { name: "Acknowledge" }));
    expect(await screen.findByText("Alert acknowledged")).toBeVisible();
    expect(acknowledged[0]?.body).toEqual({ note: "Looking" });
    expect(screen.getByRole("link", { name: "Show the worst cases" })).toHaveAttribute(
      "href",
      expect.stringContaining("tab=compare&against=r6&variant=1"),
    );
    expect(await axeViolations()).toEqual([]);
  });

  it("is muted until a time", async () => {
    answer("get", PATH, listOf(anAlert()));
    const muted = answer("post", `${PATH}/al1/mute`, anAlert());
    const { user } = await renderPage(<AlertBanner project={project} />);
    await user.click(await screen.findByRole("button", { name: /^Mute/ }));
    const dialog = await screen.findByRole("dialog", { name: "Mute the alert" });
    await user.click(within(dialog).getByRole("radio", { name: "Not muted" }));
    await user.click(within(dialog).getByRole("button", { name: "End the mute" }));
    expect(await screen.findByText("Alert changed")).toBeVisible();
    expect(muted[0]?.body).toEqual({ note: null, until: null });
  });

  it("is counted in the navigation", async () => {
    answer("get", PATH, { items: [anAlert()], next: null, total: 3 });
    await renderPage(<OpenAlertCount slug="support" rail={false} />);
    expect(await screen.findByText("3 open alerts")).toBeInTheDocument();
  });
});
