import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Model } from "@/api/types";
import { aModel, aProject } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ModelsNotice } from "./models-notice";

const project = aProject();
const P = `projects/${project.slug}`;
const NONE = { items: [], next: null, total: 0 };

describe("a project without models", () => {
  it("gets simulated ones by a click, the weaker one first", async () => {
    answer("get", `${P}/models`, NONE);
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
    const add = await screen.findByRole("button", { name: "Add simulated models" });
    expect(screen.getByRole("link", { name: "Connect a provider" })).toHaveAttribute(
      "href",
      `/p/${project.slug}/settings/providers`,
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

  it("says whom to ask without the role to add models", async () => {
    answer("get", `${P}/models`, NONE);
    await renderPage(<ModelsNotice project={aProject({ role: "EDITOR" })} />);
    expect(await screen.findByText(/Ask an admin of this project/)).toBeVisible();
    expect(screen.queryByText("Add simulated models")).not.toBeInTheDocument();
  });
});
