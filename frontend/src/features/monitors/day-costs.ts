import type { MonitorTrend } from "@/api/types";

export interface DayCost {
  /** "2026-03-05", in UTC. */
  day: string;
  checks: number;
  /** US dollars. */
  cost: number;
}

const DAY = 86_400_000;
const MOST_DAYS = 370;

const dayOf = (at: string | number) => new Date(at).toISOString().slice(0, 10);

/** Cost of measured checks by UTC day, without gaps, oldest first. */
export function fillDays(costs: MonitorTrend["day_costs"]): DayCost[] {
  const found = new Map(
    costs.map(({ day, checks, cost_usd }) => [day, { day, checks, cost: Number(cost_usd) }]),
  );
  const days = [...found.keys()].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1;
  return Array.from({ length: Math.min(count, MOST_DAYS) }, (_, back) => {
    const day = dayOf(Date.parse(last) - back * DAY);
    return found.get(day) ?? { day, checks: 0, cost: 0 };
  }).toReversed();
}

/** Cost of 30 days at the rate of these days. */
export function monthAtThisRate(days: readonly DayCost[]): number {
  const total = days.reduce((sum, { cost }) => sum + cost, 0);
  return days.length === 0 ? 0 : (total / days.length) * 30;
}
