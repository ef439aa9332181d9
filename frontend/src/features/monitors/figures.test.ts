import { describe, expect, it } from "vitest";
import type { ModelChoice, MonitoredModel } from "@/api/types";
import { aCheck, aTrend, aTrendPoint } from "@/testing/monitor-builders";
import { caseChangesOf, changeOf, formatChange } from "./check-figures";
import { fillDays, monthAtThisRate } from "./day-costs";
import { adviceNames, cheaperBy } from "@/components/results/model-advice";
import { markersAt, nearestPoint, scoreDomain, scoredPoints } from "./trend-shape";

describe("a check against its baseline", () => {
  it("differs by points and by a share", () => {
    const change = changeOf(aCheck());
    expect(change?.absolute).toBeCloseTo(-0.18);
    expect(change === null ? "" : formatChange(change)).toBe("−1.8 (−20%)");
    expect(formatChange({ absolute: 0.001, relative: 0.001 })).toBe("±0.0");
    expect(formatChange({ absolute: 0.3, relative: null })).toBe("+3.0");
  });

  it("has no difference before there is a baseline", () => {
    expect(changeOf(aCheck({ measures: null }))).toBeNull();
    expect(changeOf(aCheck({ score: null }))).toBeNull();
    expect(caseChangesOf(aCheck({ measures: null }))).toBeNull();
  });

  it("counts cases over all models", () => {
    expect(caseChangesOf(aCheck())).toEqual({ regressed: 5, improved: 2 });
  });
});

describe("the shape of a trend", () => {
  it("leaves out checks without scores", () => {
    const points = scoredPoints({ points: [aTrendPoint({ score: null }), aTrendPoint()] });
    expect(points.map(({ number }) => number)).toEqual([7]);
  });

  it("shows intervals, baseline and threshold", () => {
    const [low, high] = scoreDomain(aTrend());
    expect(low).toBeCloseTo(0.57);
    expect(high).toBe(1);
    expect(scoreDomain(aTrend({ points: [], baseline_score: null, threshold: null }))).toEqual([
      0, 1,
    ]);
  });

  it("finds the point and the changes at a time", () => {
    const trend = aTrend();
    const points = scoredPoints(trend);
    const found = nearestPoint(points, Date.parse("2026-03-04T22:00:00Z"));
    expect(found?.number).toBe(7);
    expect(points.map((point) => markersAt(trend, points, point).length)).toEqual([0, 1]);
  });
});

describe("costs by day", () => {
  it("include days without checks", () => {
    const days = fillDays([
      { day: "2026-03-01", checks: 1, cost_usd: "0.01" },
      { day: "2026-03-03", checks: 2, cost_usd: "0.05" },
    ]);
    expect(days.map(({ day, checks }) => [day, checks])).toEqual([
      ["2026-03-01", 1],
      ["2026-03-02", 0],
      ["2026-03-03", 2],
    ]);
    expect(monthAtThisRate(days)).toBeCloseTo(0.6);
    expect(fillDays([])).toEqual([]);
  });
});

describe("advice about models", () => {
  const model = (key: string, answerUsd: string | null): MonitoredModel => ({
    key,
    label: key.toUpperCase(),
    model_id: null,
    score: 0.8,
    p50_seconds: 1,
    p95_seconds: 2,
    answer_usd: answerUsd,
    month_usd: null,
  });
  const advice: ModelChoice = {
    key: "b",
    leading: "a",
    reason: "as_good_and_cheaper",
    cases: 24,
    undecided: ["b", "deleted"],
    compared: "a",
    other: "b",
    difference: 0,
    score: null,
    low: -0.03,
    high: 0.03,
    p_value: null,
    factor: null,
  };

  it("names models, and how much cheaper one is", () => {
    const models = [model("a", "0.01"), model("b", "0.0016")];
    expect(adviceNames(advice, models)).toEqual({ name: "B", leading: "A", others: "B" });
    expect(cheaperBy(advice, models)).toBe("84%");
    expect(cheaperBy(advice, [model("a", null), model("b", "0.01")])).toBe("");
  });
});
