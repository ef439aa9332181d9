import { queryOptions } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { APART, ask, query } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { Model } from "@/api/types";

const MOST_AT_ONCE = 200;
export const MODEL = "/projects/{project}/models/{model_id}";
const FIVE_MINUTES = 5 * 60_000;

/** Changes of models do not refetch the provider's list. */
export const availableModelsQuery = (slug: string, credentialId: string) =>
  queryOptions({
    ...query(
      "/projects/{project}/credentials/{credential_id}/available-models",
      { project: slug, credential_id: credentialId },
      { family: APART, staleTime: FIVE_MINUTES, retry: false },
    ),
    select: (page) => page.items,
  });

/** The most accurate, fastest and best-value model over finished runs. */
export const insightQuery = (slug: string) =>
  query("/projects/{project}/models/insight", { project: slug });

export interface Requirement {
  /** Mean score to reach, 0 to 1. */
  quality: number;
  /** Most that an answer may cost, in dollars; null is any. */
  cost: number | null;
}

export const recommendQuery = (slug: string, { quality, cost }: Requirement) =>
  query("/projects/{project}/models/recommend", {
    project: slug,
    query: { required_quality: quality, ...(cost === null ? {} : { max_cost_usd: cost }) },
  });

/** Mutation of models; invalidates all queries that show models. */
function useModelMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.models(slug), keys.audit(slug)], mutationFn);
}

function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += MOST_AT_ONCE) {
    yield items.slice(at, at + MOST_AT_ONCE);
  }
}

export interface Import {
  credentialId: string;
  names: readonly string[];
}

export function useImportModels(slug: string) {
  return useModelMutation(slug, async ({ credentialId, names }: Import): Promise<Model[]> => {
    const created: Model[] = [];
    for (const portion of batches(names)) {
      const result = await send("post", "/projects/{project}/models/import", {
        project: slug,
        body: { credential_id: credentialId, provider_models: portion },
      });
      created.push(...result.created);
    }
    return created;
  });
}

export function useDisableModels(slug: string) {
  return useModelMutation(slug, async (modelIds: readonly string[]) => {
    for (const portion of batches(modelIds)) {
      await send("patch", "/projects/{project}/models", {
        project: slug,
        body: { model_ids: portion, is_enabled: false },
      });
    }
  });
}

/** Asked on request only: it calls the providers. */
export const availabilityQuery = (slug: string) =>
  ask(
    "/projects/{project}/models/check",
    { project: slug },
    { enabled: false, retry: false, staleTime: Infinity },
  );
