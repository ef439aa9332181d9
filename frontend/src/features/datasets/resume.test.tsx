import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aModel } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { GenerateResult } from "./generate-result";

const AT = "2026-01-15T10:00:00Z";
const PATH = "projects/support-answers/datasets/d1/generations/g1";
const FAILED = {
  id: "g1",
  dataset_id: "d1",
  kind: "synthetic",
  state: "failed",
  model_id: "m1",
  model_name: "Fast one",
  author_id: null,
  wanted_count: 20,
  draft_count: 0,
  accepted_count: 0,
  malformed_count: 0,
  refused_count: 0,
  repeated_count: 0,
  cost_usd: "0",
  note: "The provider did not answer in time.",
  failure: "timeout",
  is_resumable: true,
  created_at: AT,
  started_at: AT,
  ended_at: AT,
};

async function open(generation: typeof FAILED) {
  answer("get", "projects/support-answers/models", { items: [aModel()], next: null, total: 1 });
  answer("get", PATH, generation);
  answer("get", `${PATH}/drafts`, { items: [], next: null, total: 0 });
  return renderPage(
    <GenerateResult
      at={{ slug: "support-answers", datasetId: "d1" }}
      generationId="g1"
      onAgainWanted={vi.fn()}
      onClosed={vi.fn()}
    />,
  );
}

describe("a generation that failed", () => {
  it("continues when a member resumes it", async () => {
    const { user } = await open(FAILED);
    const sent = answer("post", `${PATH}/resume`, { ...FAILED, state: "queued" });
    expect(await screen.findByText(/did not answer in time/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Add/ })).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
    answer("get", PATH, { ...FAILED, state: "queued", is_resumable: false });
    await user.click(screen.getByRole("button", { name: "Resume" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(await screen.findByText("Queued…")).toBeInTheDocument();
  });

  it("offers nothing that would only fail again", async () => {
    await open({ ...FAILED, is_resumable: false });
    expect(await screen.findByRole("button", { name: "Discard" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Resume" })).not.toBeInTheDocument();
  });
});
