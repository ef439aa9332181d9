import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Credential } from "@/api/types";
import { aCredential, aModel, aProject, aProvider } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import type { Role } from "@/lib/permissions";
import { ProvidersPage } from "./providers-page";

const BASE = "projects/support-answers";
const SIM = aProvider({
  key: "sim",
  title: "Simulated models",
  is_simulated: true,
  form: {
    type: "object",
    description: "Nothing is sent.",
    properties: { pace: { type: "number", default: 1, title: "Pace" } },
  },
  secret_fields: [],
});

interface Given {
  role?: Role;
  credentials?: Credential[];
  adding?: string | null;
}

async function openProviders({ role = "ADMIN", credentials = [], adding = null }: Given = {}) {
  const list = (items: object[]) => ({ items, next: null, total: items.length });
  answer("get", `${BASE}/providers`, list([aProvider(), SIM]) as never);
  answer("get", `${BASE}/credentials`, list(credentials) as never);
  answer("get", `${BASE}/models`, list([aModel()]) as never);
  const onModelsWanted = vi.fn();
  const onAddingChanged = vi.fn();
  const page = await renderPage(
    <ProvidersPage
      project={aProject({ role })}
      adding={adding}
      onAddingChanged={onAddingChanged}
      onModelsWanted={onModelsWanted}
    />,
  );
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  return { ...page, onModelsWanted, onAddingChanged };
}

describe("the list of credentials", () => {
  it("shows how each is kept, what the last test said and what uses it", async () => {
    await openProviders({
      credentials: [
        aCredential(),
        aCredential({
          id: "c2",
          label: "Spare",
          is_default: false,
          failure: "invalid_key",
          secrets: { api_key: { env: "SPARE_KEY", last_four: null } },
        }),
        aCredential({ id: "c3", label: "Sim", provider: "sim", secrets: {}, is_default: true }),
      ],
    });
    const [, team, spare, sim] = screen.getAllByRole("row").map((row) => within(row));
    expect(team?.getByText("••••1234")).toBeInTheDocument();
    expect(team?.getByText("Works")).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "1 model" })).toBeInTheDocument();
    expect(spare?.getByText("$SPARE_KEY")).toBeInTheDocument();
    expect(spare?.getByText("Invalid key")).toBeInTheDocument();
    expect(sim?.getByText("Simulated")).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("lets those look who may not change anything", async () => {
    await openProviders({ role: "EDITOR", credentials: [aCredential()], adding: "choose" });
    expect(screen.getByText(/requires the Admin role/)).toBeInTheDocument();
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("tests again and says what came of it", async () => {
    const { user } = await openProviders({ credentials: [aCredential()] });
    answer("post", `${BASE}/credentials/c1/test`, {
      ok: false,
      code: "QUOTA_EXCEEDED",
      message: "OpenAI says that the quota is used up.",
    });
    await user.click(screen.getByRole("button", { name: "Test Team key again" }));
    expect(await screen.findByText("OpenAI says that the quota is used up.")).toBeInTheDocument();
  });

  it("shows why a credential in use is not deleted", async () => {
    const { user } = await openProviders({ credentials: [aCredential()] });
    const message = "The model “GPT-4o” uses this credential.";
    refuse("delete", `${BASE}/credentials/c1`, 409, { code: "IN_USE", message });
    await user.click(screen.getByRole("button", { name: "Actions for Team key" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete Team key?" });
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await within(dialog).findByText(message)).toBeInTheDocument();
  });

  it("renames, and shows at the field that the label is taken", async () => {
    const { user } = await openProviders({ credentials: [aCredential()] });
    const message = "Another credential of this project has this label.";
    refuse("patch", `${BASE}/credentials/c1`, 409, {
      code: "DUPLICATE_LABEL",
      message,
      path: "label",
    });
    await user.click(screen.getByRole("button", { name: "Actions for Team key" }));
    await user.click(screen.getByRole("menuitem", { name: "Rename" }));
    const label = await screen.findByLabelText(/^Label/);
    await user.type(label, " 2{Enter}");
    await waitFor(() => expect(label).toHaveAccessibleDescription(message));
    const sent = answer("patch", `${BASE}/credentials/c1`, aCredential());
    await user.type(label, "3{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(sent[0]?.body).toEqual({ label: "Team key 23" });
  });

  it("replaces settings only together with the key", async () => {
    const { user } = await openProviders({ credentials: [aCredential()] });
    const sent = answer("patch", `${BASE}/credentials/c1`, aCredential());
    await user.click(screen.getByRole("button", { name: "Actions for Team key" }));
    await user.click(screen.getByRole("menuitem", { name: "Replace key or settings" }));
    const key = await screen.findByLabelText(/^API key/, { selector: "input" });
    expect(key).toHaveAccessibleDescription(/Current: ••••1234/);
    await user.click(screen.getByRole("button", { name: "Test and save" }));
    expect(key).toHaveFocus();
    expect(sent).toHaveLength(0);
    await user.type(key, "sk-new{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      settings: { base_url: "https://api.openai.com/v1" },
      secrets: { api_key: { value: "sk-new" } },
    });
  });
});

describe("adding a credential", () => {
  it("offers every provider with what it is", async () => {
    const { user, onAddingChanged } = await openProviders({ adding: "choose" });
    const dialog = await screen.findByRole("dialog", { name: "Add provider" });
    await user.click(within(dialog).getByRole("button", { name: /OpenAI/ }));
    expect(onAddingChanged).toHaveBeenCalledWith("openai");
    expect(await axeViolations()).toEqual([]);
  });

  it("loses nothing when the provider refuses, and saves once it agrees", async () => {
    const { user, onModelsWanted, queryClient } = await openProviders({ adding: "openai" });
    refuse("post", `${BASE}/credentials`, 409, {
      code: "INVALID_KEY",
      message: "OpenAI does not accept this key.",
    });
    const key = await screen.findByLabelText(/^API key/, { selector: "input" });
    expect(key).toHaveAttribute("autocomplete", "off");
    await user.type(key, "sk-wrong{Enter}");
    expect(await screen.findByText("OpenAI does not accept this key.")).toBeInTheDocument();
    expect(screen.getByText("Invalid key")).toBeInTheDocument();
    expect(key).toHaveValue("sk-wrong");
    expect(key).toHaveFocus();
    expect(screen.getByLabelText(/^Label/)).toHaveValue("OpenAI");
    const saved = aCredential();
    const sent = answer("post", `${BASE}/credentials`, saved, { status: 201 });
    await user.clear(key);
    await user.type(key, "sk-right");
    await user.click(screen.getByRole("button", { name: "Test and save" }));
    await user.click(await screen.findByRole("button", { name: "Choose models" }));
    expect(onModelsWanted).toHaveBeenCalledWith(saved);
    expect(sent[0]?.body).toMatchObject({ secrets: { api_key: { value: "sk-right" } } });
    const kept = JSON.stringify([
      queryClient
        .getQueryCache()
        .getAll()
        .map((query) => query.state),
      queryClient
        .getMutationCache()
        .getAll()
        .map((mutation) => mutation.state),
      Object.values(localStorage),
      location.href,
    ]);
    expect(kept).not.toMatch(/sk-(wrong|right)/);
  });

  it("offers the variables that the operator allows, with where they are sent", async () => {
    const { user } = await openProviders({ adding: "openai" });
    const sent = answer("post", `${BASE}/credentials`, aCredential(), { status: 201 });
    await user.click(await screen.findByRole("radio", { name: "Environment variable" }));
    await user.click(screen.getByRole("combobox", { name: /^API key/ }));
    const option = await screen.findByRole("option", { name: /OPENAI_API_KEY/ });
    expect(option).toHaveTextContent("Sent only to api.openai.com");
    await user.click(option);
    await user.click(screen.getByRole("button", { name: /^Test and save/ }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ secrets: { api_key: { env: "OPENAI_API_KEY" } } });
  });

  it("folds away what few need, but opens it for a complaint", async () => {
    const { user } = await openProviders({ adding: "openai" });
    const message = "An address begins with https:// or http:// and names a server.";
    refuse("post", `${BASE}/credentials`, 422, {
      code: "VALIDATION_ERROR",
      details: [{ field: "settings.base_url", message, code: "value_error" }],
    });
    expect(screen.getByText("Advanced").closest("details")).not.toHaveAttribute("open");
    await user.type(await screen.findByLabelText(/^API key/, { selector: "input" }), "k{Enter}");
    const address = screen.getByLabelText(/^Base URL/);
    await waitFor(() => expect(address).toHaveAccessibleDescription(message));
    expect(address.closest("details")).toHaveAttribute("open");
  });

  it("needs nothing but a label for simulated models", async () => {
    const { user } = await openProviders({ adding: "sim" });
    const sent = answer("post", `${BASE}/credentials`, aCredential(), { status: 201 });
    await user.click(await screen.findByRole("button", { name: "Test and save" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      provider: "sim",
      label: "Simulated models",
      settings: { pace: 1 },
      secrets: {},
      limits: {},
      is_default: false,
    });
  });
});
