import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problem";
import { uploadFile } from "@/api/upload";
import { aProject } from "@/testing/builders";
import { axeViolations, renderPage } from "@/testing/render";
import { BundleCard } from "./bundle-card";

vi.mock("@/api/upload", () => ({ uploadFile: vi.fn() }));
const sent = vi.mocked(uploadFile);
const FILE = new File(["PK"], "reply.bundle.zip", { type: "application/zip" });

async function importFile() {
  const { user } = await renderPage(<BundleCard project={aProject({ role: "ADMIN" })} />);
  await user.upload(screen.getByLabelText("Import a file"), FILE);
  return user;
}

describe("bundles", () => {
  beforeEach(() => {
    sent.mockReset();
  });

  it("lists what was imported, and the models that need a secret", async () => {
    sent.mockResolvedValue({
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
    expect(sent.mock.calls[0]?.[0]).toMatch(/\/import\?existing=refuse$/);
    expect(await axeViolations()).toEqual([]);
  });

  it("names the part of the file that was refused", async () => {
    const path = "prompts/01-reply/prompt.yaml";
    const body = { code: "VALIDATION_ERROR", message: "This is not valid YAML.", path };
    sent.mockRejectedValue(new Problem(400, body));
    await importFile();
    expect(await screen.findByRole("alert")).toHaveTextContent(`In ${path}: This is not valid`);
  });

  it("offers viewers the export only", async () => {
    await renderPage(<BundleCard project={aProject({ role: "VIEWER" })} />);
    expect(screen.getByRole("button", { name: "Export project" })).toBeVisible();
    expect(screen.queryByText("Import a file")).toBeNull();
  });
});
