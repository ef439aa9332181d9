import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { axeViolations, renderPage } from "@/testing/render";
import { everyNth } from "./axes";
import { ChartFigure } from "./chart-figure";
import { LineChart } from "./line-chart";
import { REST_COLOUR, seriesColour } from "./series-colours";
import { StackedBars } from "./stacked-bars";

const SIZE = { width: 400, height: 200 };
const euro = (amount: number) => `€${amount}`;
const DAY = 86_400_000;

describe("charts", () => {
  it("offers the same figures as a table", async () => {
    const { user } = await renderPage(
      <ChartFigure
        label="Spending"
        summary="3 in two days"
        table={{
          columns: ["Day", "Total"],
          rows: [
            ["Monday", "1"],
            ["Tuesday", "2"],
          ],
        }}
      >
        {() => null}
      </ChartFigure>,
    );
    expect(screen.getByRole("img", { name: "3 in two days" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show as table" }));
    expect(screen.getByRole("table", { name: "Spending" })).toBeInTheDocument();
    expect(screen.getByRole("rowheader", { name: "Tuesday" })).toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Show as chart" }));
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
  });

  it("stacks parts without a gap and leaves out what is nothing", async () => {
    const { container, user } = await renderPage(
      <StackedBars
        {...SIZE}
        bars={[
          { label: "Mon", parts: [1, 3] },
          { label: "Tue", parts: [0, 2] },
        ]}
        colours={[seriesColour(0), seriesColour(1)]}
        formatAmount={euro}
        tip={(index) => `tip ${index}`}
      />,
    );
    const drawn = [...container.querySelectorAll("rect.fill-chart-1, rect.fill-chart-2")];
    expect(drawn).toHaveLength(3);
    const [low, high] = drawn.map((bar) => ({
      y: Number(bar.getAttribute("y")),
      height: Number(bar.getAttribute("height")),
    }));
    expect(high?.height).toBeCloseTo((low?.height ?? 0) * 3);
    expect((high?.y ?? 0) + (high?.height ?? 0)).toBeCloseTo(low?.y ?? 0);
    expect(screen.getByText("€4")).toBeInTheDocument();
    const [, tuesday] = container.querySelectorAll("rect.fill-transparent");
    await user.hover(tuesday ?? container);
    expect(screen.getByText("tip 1")).toBeInTheDocument();
  });

  it("draws a line, what it would become, and the levels it is compared with", async () => {
    const { container } = await renderPage(
      <LineChart
        {...SIZE}
        line={[
          { at: 0, value: 0 },
          { at: DAY, value: 4 },
        ]}
        projection={[
          { at: DAY, value: 4 },
          { at: 2 * DAY, value: 8 },
        ]}
        marks={[{ value: 10, label: "Limit", tone: "danger" }]}
        formatTime={(at) => `day ${at / DAY}`}
        formatAmount={euro}
        tip={() => null}
      />,
    );
    expect(screen.getByText("Limit")).toBeInTheDocument();
    expect(screen.getByText("€10")).toBeInTheDocument();
    const lines = [...container.querySelectorAll("path.stroke-chart-1")];
    expect(lines.map((path) => path.getAttribute("stroke-dasharray"))).toEqual([null, "5 4"]);
    const end = lines[0]?.getAttribute("d")?.split("L").at(-1);
    expect(lines[1]?.getAttribute("d")).toMatch(new RegExp(`^M${end ?? "?"}L`));
  });

  it("leaves out overlapping labels and indistinguishable colours", () => {
    expect(everyNth(30, 560, 56)).toBe(3);
    expect(everyNth(5, 560, 56)).toBe(1);
    expect(seriesColour(6)).toBe(REST_COLOUR);
  });
});
