import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answer } from "@/testing/fake-server";
import { aProject } from "@/testing/builders";
import { describePage, renderRoute } from "@/testing/pages";
import type { Home } from "./queries";

const AT = "2026-03-02T12:00:00Z";

const NEW: Home = {
  waiting: [],
  production: [],
  steps: {
    has_model: true,
    has_prompt: false,
    has_cases: false,
    has_run: false,
    has_improvement: false,
    has_monitor: false,
  },
};

const BUSY: Home = {
  waiting: [
    {
      kind: "review",
      count: 4,
      items: [{ id: "s1", title: "Replies", since: AT, open_count: null, note: "- Says more." }],
    },
    {
      kind: "voting",
      count: 1,
      items: [{ id: "r1", title: "Which one?", since: AT, open_count: 12, note: null }],
    },
  ],
  production: [
    {
      prompt_id: "p1",
      prompt_name: "Support answers",
      version_id: "v1",
      version_label: "v3",
      watched: {
        monitor_id: "m1",
        name: "Daily",
        state: "active",
        open_alerts: 1,
        checked_at: AT,
        trend: [
          { number: 1, score: 0.9, verdict: "good" },
          { number: 2, score: 0.6, verdict: "lower" },
        ],
      },
    },
    {
      prompt_id: "p2",
      prompt_name: "Titles",
      version_id: "v2",
      version_label: "v1",
      watched: null,
    },
  ],
  steps: {
    has_model: true,
    has_prompt: true,
    has_cases: true,
    has_run: true,
    has_improvement: true,
    has_monitor: true,
  },
};

describePage("/p/$slug", {
  reads: "home",
  filled: BUSY,
  shows: ["link", /^Which one\?/],
  empty: { answer: NEW, text: "home.waiting.nothing", next: ["link", "home.actions.playground"] },
});

const open = (home: Home) =>
  renderRoute("/p/$slug", {}, () => answer("get", `projects/${aProject().slug}/home`, home));

describe("the home page", () => {
  it("leads to what waits, and to what is not listed", async () => {
    await open(BUSY);
    const card = within(await screen.findByRole("region", { name: "Waiting for you" }));
    expect(card.getByRole("link", { name: /^Replies/ })).toHaveAttribute(
      "href",
      expect.stringMatching(/\/reviews\/s1$/),
    );
    expect(card.getByText("Suggestion to review · Says more.")).toBeVisible();
    expect(card.getByText("Vote on pairs · 12 left")).toBeVisible();
    expect(card.getByRole("link", { name: "Show all 4 suggestions" })).toBeVisible();
    expect(card.queryByRole("link", { name: /rounds/ })).not.toBeInTheDocument();
  });

  it("shows the trend of prompts that are watched, and offers to watch the others", async () => {
    await open(BUSY);
    const card = within(await screen.findByRole("region", { name: "In production" }));
    expect(
      card.getByRole("img", { name: "Scores of the last checks of Daily: 9.0/10, 6.0/10" }),
    ).toBeVisible();
    expect(card.getByText("1 alert")).toBeVisible();
    expect(card.getByRole("link", { name: "Monitor it" })).toHaveAttribute(
      "href",
      expect.stringMatching(/\/monitors\/new\?prompt=p2$/),
    );
    expect(screen.queryByRole("region", { name: "First steps" })).not.toBeInTheDocument();
  });

  it("lists the first steps until all are done", async () => {
    await open(NEW);
    const card = within(await screen.findByRole("region", { name: "First steps" }));
    expect(card.getByText("1 of 6")).toBeVisible();
    expect(card.getByRole("link", { name: "Connect models: done" })).toBeVisible();
    expect(card.getByRole("link", { name: /^Write a prompt/ })).toHaveAttribute(
      "href",
      expect.stringMatching(/\/prompts$/),
    );
  });
});
