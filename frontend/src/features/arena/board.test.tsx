import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Board } from "@/api/arena";
import { aBoard, aBoardDataset, aBoardHeadline, aBoardRow } from "@/testing/board-builders";
import { answer } from "@/testing/fake-server";
import { renderRoute } from "@/testing/pages";
import { renderPage } from "@/testing/render";
import { aProject } from "@/testing/builders";
import { BoardHeadlineCard } from "./board-headline";
import { boardFilter, chosenSets, dayParam, rankText, sortRows } from "./board-view";
import { exportAddress } from "./queries";

const PATH = `projects/${aProject().slug}/arena`;

async function showBoard(board: Partial<Board> = {}, search = "") {
  let asked: ReturnType<typeof answer> = [];
  const view = await renderRoute("/p/$slug/arena", { search }, () => {
    answer("get", `${PATH}/datasets`, [
      aBoardDataset(),
      aBoardDataset({ dataset_id: "d2", name: "Refunds" }),
    ]);
    asked = answer("get", `${PATH}/board`, aBoard(board));
  });
  await screen.findByRole("table", { name: "Models" });
  return { ...view, asked };
}

const names = () =>
  within(screen.getByRole("table", { name: "Models" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[1]?.textContent ?? "");

describe("the board", () => {
  it("states the decision with its evidence", async () => {
    await showBoard();
    const headline = within(screen.getByRole("region", { name: "Result" }));
    expect(headline.getByText("Large is the best on 32 cases.")).toBeVisible();
    expect(
      headline.getByText(/Large against Small: \+2\.0 points, between \+1\.0 and \+3\.0\./),
    ).toHaveTextContent("Corrected p = 0.004.");
  });

  it.each([
    [
      { decision: "not_separated" as const, tied_ids: ["m2"], cheapest_id: "m2", saving: 0.84 },
      "Large and Small cannot be told apart on 32 cases; Small costs 84% less than Large.",
    ],
    [
      { decision: "not_separated" as const, tied_ids: ["m2"] },
      "Large and Small cannot be told apart on 32 cases.",
    ],
    [
      { decision: "one_model" as const },
      "Only Large has results here. Compare it with another model.",
    ],
    [
      { decision: "too_few_cases" as const, cases: 4 },
      "4 shared cases are too few to tell the models apart.",
    ],
    [
      { decision: "no_scores" as const, leading_id: null },
      "There are no scores to compare. Add scorers to a run, or let people vote.",
    ],
  ])("says %o", async (changes, sentence) => {
    await renderPage(<BoardHeadlineCard board={aBoard({ headline: aBoardHeadline(changes) })} />);
    expect(screen.getByText(sentence)).toBeVisible();
  });

  it("shows failures, warns of judges of the same family, and of models not compared", async () => {
    await showBoard({
      rows: [
        aBoardRow({ is_own_judge: true, rank_worst: 2 }),
        aBoardRow({
          model_id: "m2",
          name: "Down",
          is_compared: false,
          rank_best: null,
          rank_worst: null,
          score: null,
          score_low: null,
          score_high: null,
          failures: 32,
        }),
      ],
    });
    expect(screen.getByText("1–2")).toBeVisible();
    expect(screen.getByText("Judged by its family")).toBeVisible();
    expect(screen.getByText("Not compared")).toBeVisible();
    expect(screen.getByText("32 of 32 failed")).toBeVisible();
  });

  it("is sorted by value and filtered through the address", async () => {
    const { user, asked, router } = await showBoard({}, "?tag=billing&since=2026-03-01");
    expect(names()).toEqual([expect.stringContaining("Large"), expect.stringContaining("Small")]);
    const { searchParams } = asked.at(-1)?.url ?? new URL("http://x");
    expect(searchParams.get("dataset_id")).toBe("d1");
    expect(searchParams.get("tag")).toBe("billing");
    expect(searchParams.get("since")).toBe("2026-03-01T00:00:00Z");

    await user.click(screen.getByRole("radio", { name: "Value" }));
    expect(router.state.location.search).toMatchObject({ sort: "value", tag: "billing" });
    expect(names()[0]).toContain("Small");
  });

  it("offers ratings only where there are any", async () => {
    await showBoard({
      rows: [aBoardRow({ people: { points: 1100, low: 1050, high: 1150, comparisons: 40 } })],
    });
    expect(screen.getByRole("radio", { name: "People" })).toBeVisible();
    expect(screen.queryByRole("radio", { name: "Judges" })).not.toBeInTheDocument();
    expect(screen.getByText("1,050 to 1,150")).toBeVisible();
  });
});

describe("the order of rows", () => {
  it("puts unknown figures last, and models that are not compared behind them", () => {
    const rows = [
      aBoardRow({ model_id: "out", is_compared: false, p50_seconds: 0.1 }),
      aBoardRow({ model_id: "none", p50_seconds: null }),
      aBoardRow({ model_id: "slow", p50_seconds: 9 }),
      aBoardRow({ model_id: "fast", p50_seconds: 1 }),
    ];
    expect(sortRows(rows, "speed").map((row) => row.model_id)).toEqual([
      "fast",
      "slow",
      "none",
      "out",
    ]);
  });

  it("takes a free model for the best value", () => {
    const rows = [
      aBoardRow({ model_id: "paid" }),
      aBoardRow({ model_id: "free", answer_usd: "0" }),
    ];
    expect(sortRows(rows, "value")[0]?.model_id).toBe("free");
  });

  it("writes ranks as ranges", () => {
    expect(rankText(aBoardRow({ rank_best: 1, rank_worst: 3 }))).toBe("1–3");
    expect(rankText(aBoardRow())).toBe("1");
    expect(rankText(aBoardRow({ rank_best: null, rank_worst: null }))).toBeNull();
  });
});

describe("the filter of a board", () => {
  it("includes the last day, and ignores days that are none", () => {
    expect(boardFilter({ until: "2026-03-05" }, ["d1"]).until).toBe("2026-03-06T00:00:00.000Z");
    expect(dayParam("2026-13-45")).toBeUndefined();
    expect(dayParam("yesterday")).toBeUndefined();
    expect(chosenSets({ sets: "a,,b" })).toEqual(["a", "b"]);
  });

  it("is part of the address of the file", () => {
    const view = { tag: "a&b", difficulty: "3" } as const;
    expect(exportAddress("my shop", view, ["d1", "d2"], "pdf")).toBe(
      "/api/v1/projects/my%20shop/arena/board/export?dataset_id=d1&dataset_id=d2&tag=a%26b&difficulty=3&format=pdf",
    );
  });
});
