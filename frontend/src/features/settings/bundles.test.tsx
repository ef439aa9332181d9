import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { renderPage } from "@/testing/render";
import { BundleCard } from "./bundle-card";

describe("bundles", () => {
  it("leads administrators to the page of imports", async () => {
    await renderPage(<BundleCard project={aProject({ role: "ADMIN" })} />);
    const link = screen.getByRole("link", { name: "Import a file" });
    expect(link).toHaveAttribute("href", "/p/support-answers/import");
  });

  it("offers viewers the export only", async () => {
    await renderPage(<BundleCard project={aProject({ role: "VIEWER" })} />);
    expect(screen.getByRole("button", { name: "Export project" })).toBeVisible();
    expect(screen.queryByText("Import a file")).toBeNull();
  });
});
