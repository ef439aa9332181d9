import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem";
import { someSettings } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { renderPage } from "@/testing/render";
import { SettingsForm } from "./settings-form";
import { mergeValues, staleSettings, toUpdate, toValues } from "./settings-values";

describe("settings values", () => {
  it("survive the way to the form and back exactly", () => {
    const { updated_at: _, ...settings } = someSettings({ cost_alert_threshold: 0.655 });
    expect(toUpdate(toValues(settings), settings.version)).toEqual(settings);
  });
  it("keep mine unless theirs is chosen", () => {
    const mine = { ...toValues(someSettings()), retention_days: 30, default_max_iterations: 5 };
    const theirs = { ...toValues(someSettings()), retention_days: 365, default_max_iterations: 7 };
    expect(mergeValues(mine, theirs, { retention_days: "theirs" })).toMatchObject({
      retention_days: 365,
      default_max_iterations: 5,
    });
  });
  it("read what another member saved only from a STALE answer", () => {
    const details = { current: someSettings({ version: 4 }) };
    const stale = new Problem(409, { code: "STALE", message: "", details });
    expect(staleSettings(stale)?.version).toBe(4);
    expect(staleSettings(new Problem(409, { code: "CONFLICT", message: "", details }))).toBeNull();
  });
});

describe("settings form", () => {
  it("lets the reader choose between both values when another member saved first", async () => {
    refuse("put", "projects/demo/settings", 409, {
      code: "STALE",
      details: { current: someSettings({ version: 2, retention_days: 365 }) },
    });
    const { user } = await renderPage(
      <SettingsForm slug="demo" settings={someSettings()} editable />,
    );
    const retention = screen.getByLabelText(/^Delete runs after/);
    await user.clear(retention);
    await user.type(retention, "30");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    const dialog = await screen.findByRole("dialog", { name: "Another member saved first" });
    expect(within(dialog).getByText("30 days")).toBeInTheDocument();
    await user.click(within(dialog).getByRole("radio", { name: /365 days/ }));
    const sent = answer(
      "put",
      "projects/demo/settings",
      someSettings({ version: 3, retention_days: 365 }),
    );
    await user.click(within(dialog).getByRole("button", { name: "Save choices" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(sent[0]?.body).toMatchObject({ version: 2, retention_days: 365 });
    expect(screen.getByLabelText(/^Delete runs after/)).toHaveValue("365");
  });

  it("sends nothing while a number is out of range", async () => {
    const sent = answer("put", "projects/demo/settings", someSettings());
    const { user } = await renderPage(
      <SettingsForm slug="demo" settings={someSettings()} editable />,
    );
    await user.clear(screen.getByLabelText(/^Default max iterations/));
    await user.type(screen.getByLabelText(/^Default max iterations/), "101{Enter}");
    expect(await screen.findByText("Enter a whole number from 1 to 100.")).toBeInTheDocument();
    expect(sent).toHaveLength(0);
  });

  it("offers no way to save to those who may only read", async () => {
    await renderPage(<SettingsForm slug="demo" settings={someSettings()} editable={false} />);
    expect(screen.getByLabelText(/^Default budget/)).toHaveAttribute("readonly");
    expect(screen.queryByRole("button", { name: "Save changes" })).not.toBeInTheDocument();
  });
});
