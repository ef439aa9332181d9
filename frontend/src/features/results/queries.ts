import { pages, query } from "@/api/queries";

const CASES_AT_ONCE = 20;
const RUNS_TO_CHOOSE = 50;

/** Variants to compare; matched automatically unless both are given. */
export interface VariantPair {
  baseline?: number | undefined;
  variant?: number | undefined;
}

const pathOf = (slug: string, runId: string, baselineId: string) => ({
  project: slug,
  run_id: baselineId,
  other_run_id: runId,
});

const pairOf = (pair: VariantPair) => ({
  baseline_variant: pair.baseline,
  variant: pair.variant,
});

export const comparisonQuery = (
  slug: string,
  runId: string,
  baselineId: string,
  pair: VariantPair,
) =>
  query("/projects/{project}/runs/{run_id}/compare/{other_run_id}", {
    ...pathOf(slug, runId, baselineId),
    query: pairOf(pair),
  });

export const deltasQuery = (slug: string, runId: string, baselineId: string, pair: VariantPair) =>
  pages("/projects/{project}/runs/{run_id}/compare/{other_run_id}/cases", {
    ...pathOf(slug, runId, baselineId),
    query: { ...pairOf(pair), limit: CASES_AT_ONCE },
  });

/** Newest runs to compare with. */
export const otherRunsQuery = (slug: string) =>
  query("/projects/{project}/runs", { project: slug, query: { limit: RUNS_TO_CHOOSE } });
