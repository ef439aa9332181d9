import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Model } from "@/api/types";
import { aCredential, aModel, aProject } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ModelsNotice } from "./models-notice";

const project = aProject();
const P = `projects/${project.slug}`;
const NONE = { items: [], next: null, total: 0 };

describe("a project without models", () => {
  it("gets simulated ones by a click, the weaker one first", async () => {
    answer("get", `${P}/models`, NONE);
    answer("get", `${P}/credentials`, NONE);
    const credential = answer("post", `${P}/credentials`, { id: "c1" }, { status: 201 });
    const created = [
      aModel({ id: "m2", provider_model: "sim-large" }),
      aModel({ id: "m1", provider_model: "sim-small" }),
    ];
    const imported = answer("post", `${P}/models/import`, { created, skipped: [] });
    const onModelsAdded = vi.fn<(models: readonly Model[]) => void>();
    const { user, container } = await renderPage(
      <ModelsNotice project={project} onModelsAdded={onModelsAdded} />,
    );
    const add = await screen.findByRole("button", { name: "Use simulated models" });
    expect(screen.getByRole("link", { name: "Connect a provider" })).toHaveAttribute(
      "href",
      `/p/${project.slug}/settings/providers?add=choose&next=%2F`,
    );
    expect(await axeViolations(container)).toEqual([]);
    answer("get", `${P}/models`, { ...NONE, items: created });
    await user.click(add);
    await vi.waitFor(() =>
      expect(onModelsAdded.mock.calls[0]?.[0].map(({ id }) => id)).toEqual(["m1", "m2"]),
    );
    expect(credential[0]?.body).toMatchObject({ provider: "sim", label: "Simulated models" });
    expect(imported[0]?.body).toEqual({
      credential_id: "c1",
      provider_models: ["sim-small", "sim-large"],
    });
    expect(add).not.toBeInTheDocument();
  });

  it("gets those of the credential that is there, enabled again", async () => {
    const small = aModel({ id: "m1", provider_model: "sim-small", is_enabled: false });
    answer("get", `${P}/models`, { ...NONE, items: [{ ...small, credential_id: "c1" }] });
    answer("get", `${P}/credentials`, {
      ...NONE,
      items: [aCredential({ id: "c1", provider: "sim", label: "Simulated models" })],
    });
    const large = aModel({ id: "m2", provider_model: "sim-large" });
    answer("post", `${P}/models/import`, { created: [large], skipped: ["sim-small"] });
    const switched = answer("patch", `${P}/models`, null, { status: 204 });
    const onModelsAdded = vi.fn<(models: readonly Model[]) => void>();
    const { user } = await renderPage(
      <ModelsNotice project={project} onModelsAdded={onModelsAdded} />,
    );
    await user.click(await screen.findByRole("button", { name: "Use simulated models" }));
    await vi.waitFor(() =>
      expect(onModelsAdded.mock.calls[0]?.[0].map(({ id }) => id)).toEqual(["m1", "m2"]),
    );
    expect(switched[0]?.body).toEqual({ model_ids: ["m1"], is_enabled: true });
  });

  it("says whom to ask without the role to add models", async () => {
    answer("get", `${P}/models`, NONE);
    await renderPage(<ModelsNotice project={aProject({ role: "EDITOR" })} />);
    expect(await screen.findByText(/Ask an admin of this project/)).toBeVisible();
    expect(screen.queryByText("Use simulated models")).not.toBeInTheDocument();
  });
});
