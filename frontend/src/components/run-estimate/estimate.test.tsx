import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { RunEstimate } from "@/api/types";
import { Assumptions, costRange } from "./estimate";

const UNKNOWN = { low_usd: null, high_usd: null };

function anEstimate(over: Partial<RunEstimate> = {}): RunEstimate {
  return {
    answer_calls: 6,
    judge_calls: 6,
    input_tokens: 600,
    output_tokens: { low: 60, high: 120 },
    cost: { low_usd: "0.10", high_usd: "0.20" },
    known_cost: { low_usd: "0.10", high_usd: "0.20" },
    simulated_cost: { low_usd: "0.00", high_usd: "0.00" },
    seconds: { low: 1, high: 2 },
    assumptions: [],
    unpriced_models: [],
    budgets: [],
    ...over,
  };
}

describe("an estimate", () => {
  it("marks simulated dollars", () => {
    const simulated = { low_usd: "0.10", high_usd: "0.20" };
    expect(costRange(anEstimate())).not.toContain("simulated");
    expect(costRange(anEstimate({ simulated_cost: simulated }))).toMatch(/ simulated$/);
    const part = { low_usd: "0.01", high_usd: "0.02" };
    expect(costRange(anEstimate({ simulated_cost: part }))).toContain("of which");
  });

  it("names unknown prices with what is known beside them", () => {
    render(
      <Assumptions
        estimate={anEstimate({
          cost: UNKNOWN,
          known_cost: { low_usd: "0.03", high_usd: "0.05" },
          unpriced_models: ["Grader"],
        })}
      />,
    );
    expect(screen.getByText(/Price unknown: Grader/)).toHaveTextContent("$0.03");
    expect(screen.queryByText("$0.00")).toBeNull();
  });

  it("says how it fits every budget in reach", () => {
    const budget = {
      budget_id: "b1",
      name: "budget of the project",
      period: "day",
      counts_simulated: false,
      left_usd: "0.15",
      fit: "may_run_out" as const,
    };
    render(<Assumptions estimate={anEstimate({ budgets: [budget] })} />);
    expect(screen.getByText(/budget of the project may run out: \$0.15 left/)).toBeInTheDocument();
  });
});
