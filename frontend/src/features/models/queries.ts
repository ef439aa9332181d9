import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import type { Model, ModelChange, ModelRequest } from "@/api/types";

const MOST_AT_ONCE = 200;
const FIVE_MINUTES = 5 * 60_000;

export const availableModelsQuery = (slug: string, credentialId: string) =>
  queryOptions({
    queryKey: keys.availableModels(slug, credentialId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/projects/{project}/credentials/{credential_id}/available-models", {
          signal,
          params: { path: { project: slug, credential_id: credentialId } },
        }),
      ),
    select: (page) => page.items,
    staleTime: FIVE_MINUTES,
    retry: false,
  });

/** A change of models, after which everything that shows models is read again. */
function useModelMutation<V, R>(slug: string, mutationFn: (variables: V) => Promise<R>) {
  return useRefreshingMutation([keys.models(slug), keys.audit(slug)], mutationFn);
}

export function useCreateModel(slug: string) {
  return useModelMutation(slug, (body: ModelRequest) =>
    unwrap(
      api.POST("/api/v1/projects/{project}/models", { params: { path: { project: slug } }, body }),
    ),
  );
}

function* portions<T>(items: readonly T[]): Generator<T[]> {
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
    for (const portion of portions(names)) {
      const result = await unwrap(
        api.POST("/api/v1/projects/{project}/models/import", {
          params: { path: { project: slug } },
          body: { credential_id: credentialId, provider_models: portion },
        }),
      );
      created.push(...result.created);
    }
    return created;
  });
}

export function useChangeModel(slug: string) {
  return useModelMutation(slug, ({ modelId, change }: { modelId: string; change: ModelChange }) =>
    unwrap(
      api.PATCH("/api/v1/projects/{project}/models/{model_id}", {
        params: { path: { project: slug, model_id: modelId } },
        body: change,
      }),
    ),
  );
}

export function useDisableModels(slug: string) {
  return useModelMutation(slug, async (modelIds: readonly string[]) => {
    for (const portion of portions(modelIds)) {
      await unwrap(
        api.PATCH("/api/v1/projects/{project}/models", {
          params: { path: { project: slug } },
          body: { model_ids: portion, is_enabled: false },
        }),
      );
    }
  });
}

export function useDeleteModel(slug: string) {
  return useModelMutation(slug, (modelId: string) =>
    unwrap(
      api.DELETE("/api/v1/projects/{project}/models/{model_id}", {
        params: { path: { project: slug, model_id: modelId } },
      }),
    ),
  );
}
