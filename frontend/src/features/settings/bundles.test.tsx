import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { BundleCard } from "./bundle-card";

const FILE = new File(["{}"], "reply.bundle.zip", { type: "application/zip" });

async function importFile() {
  const { user } = await renderPage(<BundleCard project={aProject({ role: "ADMIN" })} />);
  await user.upload(screen.getByLabelText("Import a file"), FILE);
  return user;
}

describe("bundles", () => {
  it("lists what was imported, and the models that need a secret", async () => {
    const sent = answer("post", "projects/*/import", {
      kind: "prompt",
      name: "Support reply",
      created: [{ kind: "prompt", names: ["Support reply"] }],
      skipped: [{ kind: "dataset", names: ["Golden"] }],
      runs: 2,
      needs_credential: ["clever"],
    });
    await importFile();
    expect(await screen.findByText("Support reply imported")).toBeVisible();
    expect(screen.getByText("Prompts: Support reply")).toBeVisible();
    expect(screen.getByText("Datasets: Golden")).toBeVisible();
    expect(screen.getByText("2 runs with their results")).toBeVisible();
    expect(screen.getByText(/before you use clever\./)).toBeVisible();
    expect(sent[0]?.url.search).toBe("?existing=refuse");
    expect(await axeViolations()).toEqual([]);
  });

  it("names the part of the file that was refused", async () => {
    const path = "prompts/01-reply/prompt.yaml";
    const message = "This is not valid YAML.";
    refuse("post", "projects/*/import", 400, { code: "VALIDATION_ERROR", message, path });
    await importFile();
    expect(await screen.findByRole("alert")).toHaveTextContent(`In ${path}: This is not valid`);
  });

  it("offers viewers the export only", async () => {
    await renderPage(<BundleCard project={aProject({ role: "VIEWER" })} />);
    expect(screen.getByRole("button", { name: "Export project" })).toBeVisible();
    expect(screen.queryByText("Import a file")).toBeNull();
  });
});
