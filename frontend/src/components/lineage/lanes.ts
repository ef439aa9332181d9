/**
 * Layout of a version graph beside a list, newest first: each version gets a lane, and each row
 * lists the lanes passing through it.
 */
export interface Node {
  id: string;
  parent_id?: string | null;
}

export interface LaneRow {
  lane: number;
  /** Edges leaving this row downwards: start lane and end lane. */
  below: readonly { from: number; to: number }[];
}

function freeLane(lanes: readonly (string | null)[]): number {
  const free = lanes.indexOf(null);
  return free === -1 ? lanes.length : free;
}

export function assignLanes(versions: readonly Node[]): LaneRow[] {
  // Per lane, the id of the version that its edge leads to.
  let lanes: (string | null)[] = [];
  return versions.map(({ id, parent_id }) => {
    const awaited = lanes.indexOf(id);
    const lane = awaited === -1 ? freeLane(lanes) : awaited;
    const before = lanes.map((wanted) => (wanted === id ? null : wanted));
    before[lane] = parent_id ?? null;
    const target = (wanted: string) => before.indexOf(wanted);
    const below = before.flatMap((wanted, from) =>
      wanted === null ? [] : [{ from, to: target(wanted) }],
    );
    // Edges to the same version merge.
    lanes = before.map((wanted, index) =>
      wanted !== null && target(wanted) !== index ? null : wanted,
    );
    return { lane, below };
  });
}

/** Number of lanes of the graph. */
export function laneCount(rows: readonly LaneRow[]): number {
  return Math.max(
    1,
    ...rows.flatMap(({ lane, below }) =>
      [lane, ...below.map(({ to }) => to)].map((last) => last + 1),
    ),
  );
}
