import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { HumanScore } from "@/api/types";
import { i18n } from "@/lib/i18n";
import { aProject } from "@/testing/builders";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { anOutput } from "@/testing/run-builders";
import { HumanScores } from "./human-scores";
import { nextThumb } from "./scales";
import { ThumbToggle } from "./thumb-toggle";

const { slug } = aProject();
const PATH = `projects/${slug}/outputs/o1/scores`;

function aScore(over: Partial<HumanScore> = {}): HumanScore {
  return {
    id: "s1",
    person: { id: "u2", name: "Bob" },
    is_mine: false,
    question: "rating",
    answer: 4,
    criteria: null,
    value: 0.75,
    comment: "Clear enough.",
    created_at: "2026-01-15T10:00:00Z",
    updated_at: "2026-01-15T10:00:00Z",
    ...over,
  };
}

describe("what people say about an output", () => {
  it("shows the scores of others and stores the user's own at once", async () => {
    const mine = aScore({ id: "s2", person: { id: "u1", name: "Ada" }, is_mine: true, answer: 2 });
    answer("get", PATH, { value: 0.75, items: [aScore()] });
    const given = answer("put", PATH, { value: 0.5, items: [aScore(), mine] });
    const { user, container } = await renderPage(
      <HumanScores slug={slug} output={anOutput({ number: 7 })} canScore />,
    );
    expect(await screen.findByText("Clear enough.")).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "1 to 5" }));
    await user.click(screen.getByRole("radio", { name: "2/5" }));
    expect(await screen.findByText("Ada (you)")).toBeVisible();
    expect(given.map(({ body }) => body)).toEqual([
      { question: "rating", answer: 2, comment: null, about: 7 },
    ]);
    expect(screen.getByRole("radio", { name: "2/5" })).toBeChecked();
    expect(await axeViolations(container)).toEqual([]);
  });

  it("takes a score back", async () => {
    const mine = aScore({ is_mine: true });
    answer("get", PATH, { value: 0.75, items: [mine] });
    const removed = answer("delete", PATH, { value: null, items: [] });
    const { user } = await renderPage(<HumanScores slug={slug} output={anOutput()} canScore />);
    await user.click(await screen.findByRole("button", { name: "Remove my score" }));
    await waitFor(() => expect(screen.queryByText("Bob (you)")).toBeNull());
    expect(removed).toHaveLength(1);
  });

  it("is not offered to viewers, nor for a failed answer", async () => {
    answer("get", PATH, { value: 0.75, items: [aScore()] });
    const { unmount } = await renderPage(
      <HumanScores slug={slug} output={anOutput()} canScore={false} />,
    );
    expect(await screen.findByText("Clear enough.")).toBeVisible();
    expect(screen.queryByRole("radiogroup")).toBeNull();
    unmount();
    await renderPage(<HumanScores slug={slug} output={anOutput({ status: "error" })} canScore />);
    expect(await screen.findByText("Clear enough.")).toBeVisible();
    expect(screen.queryByRole("radiogroup")).toBeNull();
  });
});

describe("a thumb in a grid", () => {
  it("goes from nothing to up, to down, to up", async () => {
    expect([null, 1, 0].map(nextThumb)).toEqual([1, 0, 1]);
    const onAnswered = vi.fn();
    const { user } = await renderPage(
      <ThumbToggle t={i18n.t} answer={1} onAnswered={onAnswered} />,
    );
    await user.click(screen.getByRole("button", { name: "Thumbs up. Switch to down" }));
    expect(onAnswered).toHaveBeenCalledWith(0);
  });
});
