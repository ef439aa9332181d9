import type { DatasetSummary } from "@/api/types";
import type { Origin } from "./view";

export const DATASET_SORTS = ["name", "updated", "cases", "newest"] as const;
export type DatasetSort = (typeof DATASET_SORTS)[number];

/** Filter and order of the dataset list. By default, the last changed first. */
export interface DatasetView {
  q?: string | undefined;
  kind?: Origin | undefined;
  tag?: string | undefined;
  status?: "archived" | "all" | undefined;
  sort?: Exclude<DatasetSort, "updated"> | undefined;
}

const ORDER: Record<DatasetSort, (one: DatasetSummary, other: DatasetSummary) => number> = {
  name: (one, other) => one.name.localeCompare(other.name),
  updated: (one, other) => other.updated_at.localeCompare(one.updated_at),
  cases: (one, other) => other.case_count - one.case_count,
  newest: (one, other) => other.created_at.localeCompare(one.created_at),
};

/** `tagged` are the datasets with cases that have the wanted tag; undefined while unknown. */
function matchesFilter(
  dataset: DatasetSummary,
  view: DatasetView,
  tagged: ReadonlySet<string> | undefined,
): boolean {
  const isArchived = dataset.archived_at !== null;
  const text = `${dataset.name} ${dataset.description ?? ""}`.toLowerCase();
  const words = (view.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return (
    (view.status === "all" || isArchived === (view.status === "archived")) &&
    (view.kind === undefined || dataset.kind === view.kind) &&
    (view.tag === undefined ||
      dataset.tags.includes(view.tag) ||
      (tagged?.has(dataset.id) ?? true)) &&
    words.every((word) => text.includes(word))
  );
}

export function arrangeDatasets(
  datasets: readonly DatasetSummary[],
  view: DatasetView,
  tagged?: ReadonlySet<string>,
): DatasetSummary[] {
  return datasets
    .filter((dataset) => matchesFilter(dataset, view, tagged))
    .sort(ORDER[view.sort ?? "updated"]);
}
