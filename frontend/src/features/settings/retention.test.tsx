import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { RetentionCard } from "./retention-card";

const PATH = `projects/${aProject().slug}/retention`;
const RETENTION = {
  archive_days: 60,
  retention_days: 90,
  confirmed_at: null,
  to_archive: { runs: 7, cells: 840, names: ["a", "b", "c", "d", "e"] },
  to_delete: { runs: 0, cells: 0, names: [] },
  kept_runs: 2,
  evidence_runs: 1,
};

describe("old runs", () => {
  it("are listed before an admin confirms that they go", async () => {
    answer("get", PATH, RETENTION);
    const { user, container } = await renderPage(<RetentionCard project={aProject()} />);
    expect(await screen.findByText("7 runs, 840 answers")).toBeVisible();
    expect(screen.getByText("a, b, c, d, e, …")).toBeVisible();
    expect(screen.getByText(/2 that people keep, 1 that a result is based on/)).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    const sent = answer("post", `${PATH}/confirm`, RETENTION);
    answer("get", PATH, {
      ...RETENTION,
      confirmed_at: "2026-01-15T10:00:00Z",
    });
    await user.click(
      screen.getByRole("button", { name: "Archive after 60 days, delete after 90 days" }),
    );
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  });

  it("are confirmed by admins only", async () => {
    answer("get", PATH, RETENTION);
    await renderPage(<RetentionCard project={aProject({ role: "EDITOR" })} />);
    expect(await screen.findByText("7 runs, 840 answers")).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
