export interface DiffRow {
  path: string;
  kind: "added" | "removed" | "changed" | "same";
  before: string | null;
  after: string | null;
}

type Flat = Map<string, string>;

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function flatten(value: unknown, path: string, into: Flat): Flat {
  const nested =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0;
  if (nested) {
    for (const [key, child] of Object.entries(value)) {
      flatten(child, path === "" ? key : `${path}.${key}`, into);
    }
  } else if (path !== "") {
    into.set(path, formatValue(value));
  }
  return into;
}

function kindOf(before: string | null, after: string | null): DiffRow["kind"] {
  if (before === null) {
    return "added";
  }
  if (after === null) {
    return "removed";
  }
  return before === after ? "same" : "changed";
}

/** Diff by field with dotted names: changed fields first, unchanged ones last. */
export function diffRecords(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): DiffRow[] {
  const old = flatten(before ?? {}, "", new Map<string, string>());
  const now = flatten(after ?? {}, "", new Map<string, string>());
  const rows = [...new Set([...old.keys(), ...now.keys()])].sort().map((path): DiffRow => {
    const was = old.get(path) ?? null;
    const is = now.get(path) ?? null;
    return { path, kind: kindOf(was, is), before: was, after: is };
  });
  return [
    ...rows.filter((row) => row.kind !== "same"),
    ...rows.filter((row) => row.kind === "same"),
  ];
}
