/** Search for Swagger UI: an operation matches when its text contains every word. */

export interface Entry {
  get(name: "path" | "method"): string;
  getIn(path: ["operation", "summary" | "description" | "operationId"]): string | undefined;
}

/** The part of Swagger UI's immutable collections used here. */
interface Collection<Item> {
  size: number;
  map(change: (item: Item, key: string) => Item): this;
  filter(keep: (item: Item) => boolean): this;
}

export interface Group {
  get(name: "operations"): Collection<Entry>;
  set(name: "operations", operations: Collection<Entry>): Group;
}

export function matches(text: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.toLowerCase().includes(word));
}

/** Replaces Swagger UI's filter, which matches only tags and paths. */
export function filterOperations(groups: Collection<Group>, search: string): Collection<Group> {
  const textOf = (tag: string, entry: Entry) =>
    [
      tag,
      entry.get("method"),
      entry.get("path"),
      entry.getIn(["operation", "operationId"]),
      entry.getIn(["operation", "summary"]),
      entry.getIn(["operation", "description"]),
    ].join(" ");
  return groups
    .map((group, tag) =>
      group.set(
        "operations",
        group.get("operations").filter((entry) => matches(textOf(tag, entry), search)),
      ),
    )
    .filter((group) => group.get("operations").size > 0);
}
