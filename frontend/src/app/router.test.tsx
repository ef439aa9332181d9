import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aDataset } from "@/testing/library-builders";
import { renderRoute } from "@/testing/pages";

describe("an address", () => {
  it("keeps of its parameters only those that its page knows", async () => {
    const { router } = await renderRoute(
      "/p/$slug/datasets/$datasetId",
      {
        params: { datasetId: "d1" },
        search: "?generate=everything&sort=sideways&tag=billing&unheard=of",
        responses: { "datasets/d1": { ...aDataset(), last_change: null } },
      },
      () => undefined,
    );
    expect(await screen.findByRole("heading", { name: "Golden" })).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await waitFor(() => expect(router.state.location.search).toEqual({ tag: "billing" }));
  });
});
