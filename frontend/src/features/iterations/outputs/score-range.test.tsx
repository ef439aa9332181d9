import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { axeViolations, renderPage } from "@/testing/render";
import { scoreParam } from "./outputs-view";
import { ScoreRange } from "./score-range";

describe("a range of scores", () => {
  it("is read from an address that says one", () => {
    expect(["0-10", "3.5-3.5", "7-2", "2-11", "low"].map(scoreParam)).toEqual([
      "0-10",
      "3.5-3.5",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("takes any range of scores, and nothing that is none", async () => {
    const chosen: (string | undefined)[] = [];
    function Frame() {
      const [score, setScore] = useState<string | undefined>("2-4");
      const keep = (next: string | undefined) => {
        chosen.push(next);
        setScore(next);
      };
      return <ScoreRange score={score} onScoreChanged={keep} />;
    }
    const { user, container } = await renderPage(<Frame />);
    const low = await screen.findByRole("spinbutton", { name: "Minimum score, 0 to 10" });
    const high = screen.getByRole("spinbutton", { name: "Maximum score, 0 to 10" });
    expect(low).toHaveValue(2);
    expect(high).toHaveValue(4);
    await user.clear(low);
    await user.type(low, "7");
    expect(screen.getByRole("alert")).toHaveTextContent("the lower first");
    await user.clear(high);
    expect(chosen).toEqual(["0-4", "7-10"]);
    expect(await axeViolations(container)).toEqual([]);
  });
});
