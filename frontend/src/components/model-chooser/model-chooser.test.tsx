import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { aModel } from "@/testing/builders";
import { axeViolations, renderPage } from "@/testing/render";
import { ModelChecklist } from "./model-checklist";
import { ModelSelect } from "./model-select";

const models = [
  aModel(),
  aModel({ id: "m2", credential_id: "c2", credential_label: "Private key" }),
  aModel({
    id: "m3",
    display_name: "Claude",
    provider_model: "claude-x",
    provider: "anthropic",
    provider_title: "Anthropic",
    credential_id: "c3",
    credential_label: "Research",
  }),
  aModel({ id: "m4", display_name: "Retired", is_enabled: false }),
];

function One({ at = null }: { at?: string | null }) {
  const [chosen, setChosen] = useState(at);
  const other = { label: "No fallback", onChosen: () => setChosen(null) };
  return (
    <ModelSelect
      aria-label="Model"
      models={models}
      chosen={chosen}
      other={other}
      onChosen={setChosen}
    />
  );
}

function Several() {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <>
      <ModelChecklist models={models} chosen={chosen} onChosenChanged={setChosen} />
      <output>{chosen.join(" ")}</output>
    </>
  );
}

const names = () => screen.queryAllByRole("option").map((option) => option.textContent);
const button = () => screen.getByRole("combobox", { name: "Model" });

describe("the choice of one model", () => {
  it("is made by keyboard: typing searches, arrows move, Enter chooses", async () => {
    const { user } = await renderPage(<One />);
    expect(button()).toHaveTextContent("No fallback");
    button().focus();
    await user.keyboard("g");
    expect(screen.getByRole("combobox", { name: "Search models" })).toHaveValue("g");
    await user.keyboard("pt");
    expect(names()).toHaveLength(2);
    expect(await axeViolations()).toEqual([]);
    await user.keyboard("{ArrowDown}{Enter}");
    expect(button()).toHaveFocus();
    // Two models of one name are told apart by their credential.
    expect(button()).toHaveTextContent("GPT-4o · Team key");
  });

  it("is left unchanged by Escape, which returns the focus", async () => {
    const { user } = await renderPage(<One at="m3" />);
    button().focus();
    await user.keyboard("{ArrowDown}");
    expect(screen.getByRole("option", { name: "Claude" })).toHaveAttribute("aria-selected", "true");
    expect(screen.queryByRole("option", { name: "Retired" })).toBeNull();
    await user.keyboard("{ArrowDown}{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(button()).toHaveFocus();
    expect(button()).toHaveTextContent("Claude");
  });

  it("finds by provider and by credential", async () => {
    const { user } = await renderPage(<One at="m4" />);
    await user.click(button());
    expect(screen.getByRole("option", { name: "Retired" })).toBeVisible();
    await user.type(screen.getByRole("combobox", { name: "Search models" }), "research");
    expect(screen.getByRole("option", { name: "Claude" })).toBeVisible();
    expect(names()).toHaveLength(1);
    await user.clear(screen.getByRole("combobox", { name: "Search models" }));
    await user.click(screen.getByRole("radio", { name: "OpenAI" }));
    expect(screen.getByRole("group", { name: "Private key" })).toBeVisible();
    expect(screen.queryByRole("option", { name: "Claude" })).toBeNull();
    await user.type(screen.getByRole("combobox", { name: "Search models" }), "claude");
    expect(screen.getByText("No models match.")).toBeVisible();
  });
});

describe("the choice of several models", () => {
  it("keeps what is chosen while the list is narrowed", async () => {
    const { user } = await renderPage(<Several />);
    await user.click(screen.getByRole("checkbox", { name: "Claude" }));
    await user.type(screen.getByRole("textbox", { name: "Search models" }), "private");
    await user.keyboard("{ArrowDown} ");
    expect(screen.getByRole("checkbox", { name: "GPT-4o" })).toBeChecked();
    expect(screen.getByRole("status")).toHaveTextContent("m3 m2");
    await user.keyboard("{ArrowUp}{Escape}");
    expect(screen.getAllByRole("checkbox")).toHaveLength(3);
  });
});
