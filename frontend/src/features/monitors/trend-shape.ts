import type { MonitorTrend, TrendMarker, TrendPoint } from "@/api/types";

/** A measured check with a score, in the coordinates of the chart. */
export interface ScoredPoint extends TrendPoint {
  score: number;
  /** Milliseconds since 1970. */
  time: number;
}

/** In order of time. */
export function scoredPoints({ points }: Pick<MonitorTrend, "points">): ScoredPoint[] {
  const scored = points.flatMap((point) =>
    point.score === null ? [] : [{ ...point, score: point.score, time: Date.parse(point.at) }],
  );
  return scored.sort((one, other) => one.time - other.time);
}

/** Range of scores with a margin, clamped to 0 and 1; includes baseline and threshold. */
export function scoreDomain(trend: MonitorTrend): [low: number, high: number] {
  const seen = trend.points.flatMap(({ score, low, high, baseline }) => [
    score,
    low,
    high,
    baseline,
  ]);
  const known = [...seen, trend.baseline_score, trend.threshold].filter((value) => value !== null);
  if (known.length === 0) {
    return [0, 1];
  }
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const air = Math.max(0.05, (high - low) * 0.1);
  return [Math.max(0, low - air), Math.min(1, high + air)];
}

/** First and last time of points and markers, in milliseconds. */
export function timeDomain({ points, markers }: MonitorTrend): [first: number, last: number] {
  const times = [...points, ...markers].map(({ at }) => Date.parse(at));
  return [Math.min(...times), Math.max(...times)];
}

export function nearestPoint(
  points: readonly ScoredPoint[],
  time: number,
): ScoredPoint | undefined {
  return points.reduce<ScoredPoint | undefined>(
    (best, point) =>
      best === undefined || Math.abs(point.time - time) < Math.abs(best.time - time) ? point : best,
    undefined,
  );
}

/** Markers after the previous point, up to this one. */
export function markersAt(
  trend: MonitorTrend,
  points: readonly ScoredPoint[],
  point: ScoredPoint,
): TrendMarker[] {
  const before = points[points.indexOf(point) - 1]?.time ?? -Infinity;
  return trend.markers.filter(({ at }) => {
    const time = Date.parse(at);
    return time > before && time <= point.time;
  });
}

const HALF_DAY = 43_200_000;

/** Whether ticks need hours: the points are less than two days apart. */
export function spansHours([first, last]: readonly [number, number]): boolean {
  return last - first < 4 * HALF_DAY;
}
