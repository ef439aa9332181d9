import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { TroublePanel } from "./trouble-panel";

describe("a run that failed", () => {
  it("says what went wrong, what the provider said, and where to fix it", async () => {
    answer("get", "projects/team/runs/r1/failures", [
      {
        status: "error",
        reason: "invalid_key",
        count: 3,
        cut_off_count: 0,
        model_names: ["small"],
        output_id: "o1",
        message: "OpenAI did not accept the credential.",
        provider_text: "invalid_api_key: Incorrect API key provided: ***",
        credential: "Team key",
      },
      {
        status: "malformed",
        reason: "not_json",
        count: 2,
        cut_off_count: 2,
        model_names: ["large"],
        output_id: "o2",
        message: "The answer is not JSON.",
        provider_text: null,
        credential: null,
      },
    ]);
    const onOutputOpened = vi.fn();
    const { container, user } = await renderPage(
      <TroublePanel slug="team" runId="r1" total={5} onOutputOpened={onOutputOpened} />,
    );
    const panel = await screen.findByRole("region", { name: "What went wrong" });
    const [key, json] = within(panel).getAllByRole("listitem");
    expect(key).toHaveTextContent(
      "Invalid key 3 of 5 answers · with small · credential “Team key”",
    );
    expect(key).toHaveTextContent("Incorrect API key provided: ***");
    expect(within(panel).getByRole("link", { name: "Open providers" })).toBeVisible();
    expect(json).toHaveTextContent("2 of them were cut off at max tokens: raise max tokens first.");
    await user.click(within(json ?? panel).getByRole("button", { name: "Show an answer" }));
    expect(onOutputOpened).toHaveBeenCalledWith("o2");
    expect(await axeViolations(container)).toEqual([]);
  });
});
