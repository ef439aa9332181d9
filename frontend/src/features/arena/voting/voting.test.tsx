import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { delay, http } from "msw";
import { describe, expect, it } from "vitest";
import type { VotingStep } from "@/api/arena";
import { aProject } from "@/testing/builders";
import { answer, fakeServer, refuse } from "@/testing/fake-server";
import { renderRoute } from "@/testing/pages";
import { axeViolations } from "@/testing/render";
import { aRun } from "@/testing/run-builders";
import { aVotingMatch, aVotingRound, votingResults } from "@/testing/voting-builders";
import { stepQuery } from "./queries";

const PATH = `projects/${aProject().slug}/voting-rounds`;
const ROUND = aVotingRound();
const SECOND = aVotingMatch({ id: "k2", first: "Tomorrow.", second: "Never." });

async function openRound(round = ROUND, match: object | null = aVotingMatch()) {
  const view = await renderRoute(
    "/p/$slug/arena/voting/$roundId",
    { params: { roundId: "r1" } },
    () => {
      answer("get", `${PATH}/r1`, round);
      answer("post", `${PATH}/r1/next`, { round, match });
      answer("get", `${PATH}/r1/results`, votingResults());
    },
  );
  await screen.findByRole("heading", { name: round.name });
  return view;
}

const next = (match: object | null) => ({ round: { ...ROUND, vote_count: 5, my_votes: 5 }, match });

describe("voting", () => {
  it("goes by keys alone: vote, skip, undo", async () => {
    const { user } = await openRound();
    const voted = answer("post", `${PATH}/r1/matches/k1/vote`, next(SECOND));
    const skipped = answer("post", `${PATH}/r1/matches/k2/skip`, next(null));
    const undone = answer("post", `${PATH}/r1/undo`, { round: ROUND, match: aVotingMatch() });
    expect(await screen.findByText("It is on its way.")).toBeVisible();
    expect(await axeViolations()).toEqual([]);

    await user.keyboard("a");
    expect(await screen.findByText("Tomorrow.")).toBeVisible();
    expect(voted[0]?.body).toEqual({ choice: "first", turn: 1 });
    await user.keyboard("s");
    await user.click(await screen.findByRole("button", { name: "Undo last vote" }));
    expect(await screen.findByText("It is on its way.")).toBeVisible();
    expect([skipped.length, undone.length]).toEqual([1, 1]);
  });

  it("has two keys for every choice", async () => {
    const { user } = await openRound();
    const keys = [
      ["1", "first"],
      ["b", "second"],
      ["2", "second"],
      ["t", "tie"],
      ["3", "tie"],
      ["x", "both_bad"],
      ["4", "both_bad"],
    ] as const;
    await screen.findByText("It is on its way.");
    for (const [at, [key, choice]] of keys.entries()) {
      const following = aVotingMatch({ id: `k${at + 2}`, first: `Text ${at}` });
      const voted = answer("post", `${PATH}/r1/matches/k${at + 1}/vote`, next(following));
      await user.keyboard(key);
      expect(await screen.findByText(`Text ${at}`)).toBeVisible();
      expect(voted.map(({ body }) => body)).toEqual([{ choice, turn: 1 }]);
    }
  });

  it("takes keys for the shown pair while the vote before is still being sent", async () => {
    const { user, queryClient } = await openRound();
    fakeServer.use(http.post(`*/${PATH}/r1/matches/k1/vote`, () => delay("infinite")));
    const voted = answer("post", `${PATH}/r1/matches/k2/vote`, next(null));
    await screen.findByText("It is on its way.");
    await user.keyboard("aa");
    act(() => {
      queryClient.setQueryData(
        stepQuery(aProject().slug, "r1").queryKey,
        next(SECOND) as VotingStep,
      );
    });
    expect(await screen.findByText("Tomorrow.")).toBeVisible();
    await user.keyboard("b");
    await waitFor(() =>
      expect(voted.map(({ body }) => body)).toEqual([{ choice: "second", turn: 1 }]),
    );
  });

  it("counts a key that is held down once", async () => {
    const { user } = await openRound();
    const votes = ["k1", "k2"].map((id) =>
      answer("post", `${PATH}/r1/matches/${id}/vote`, next(id === "k1" ? SECOND : null)),
    );
    await screen.findByText("It is on its way.");
    await user.keyboard("a");
    expect(await screen.findByText("Tomorrow.")).toBeVisible();
    fireEvent.keyDown(document.body, { key: "a", repeat: true });
    expect(votes.map((asked) => asked.length)).toEqual([1, 0]);
  });

  it("fetches the pair again when the claim has expired", async () => {
    const { user } = await openRound();
    refuse("post", `${PATH}/r1/matches/k1/vote`, 409, { code: "CONFLICT", message: "Time is up." });
    answer("post", `${PATH}/r1/next`, next(SECOND));
    await screen.findByText("It is on its way.");
    await user.keyboard("b");
    expect(await screen.findByText("Time is up.")).toBeInTheDocument();
    expect(await screen.findByText("Tomorrow.")).toBeVisible();
  });

  it("reveals the models after the round, the best first", async () => {
    const { user } = await openRound(ROUND, null);
    const closed = { ...ROUND, state: "closed" };
    const asked = answer("post", `${PATH}/r1/close`, closed);
    await user.click(screen.getByRole("button", { name: "Close and reveal" }));
    answer("get", `${PATH}/r1`, closed);
    const buttons = await screen.findAllByRole("button", { name: "Close and reveal" });
    await user.click(buttons.at(-1) ?? document.body);
    expect(await screen.findByRole("table", { name: "Models" })).toHaveTextContent(
      /Large.*1,050 \(1,000 to 1,100\).*Small/,
    );
    expect(asked).toHaveLength(1);
  });
});

describe("a new round", () => {
  it("is for a team, on the run it was opened from", async () => {
    const run = aRun({ state: "completed", variant_count: 2 });
    const { user, router } = await renderRoute(
      "/p/$slug/arena/voting",
      { search: `?run=${run.id}` },
      () => {
        answer("get", `${PATH}/r1`, aVotingRound());
        answer("post", `${PATH}/r1/next`, { round: aVotingRound(), match: null });
        answer("get", `projects/${aProject().slug}/runs`, { items: [run], next: null, total: 1 });
      },
    );
    const made = answer("post", PATH, aVotingRound(), { status: 201 });
    await user.click(await screen.findByRole("radio", { name: "Several people" }));
    await user.click(screen.getByRole("button", { name: "Start round" }));
    await waitFor(() =>
      expect(made[0]?.body).toMatchObject({ run_id: run.id, people_per_match: 3, matches: 50 }),
    );
    await waitFor(() => expect(router.state.location.pathname).toMatch(/\/arena\/voting\/r1$/));
  });
});
