import { api, unwrap } from "./client";
import { keys } from "./keys";
import { useRefreshingMutation } from "./refreshing-mutation";
import type { Model } from "./types";

const PROVIDER = "sim";
/** Two of them, so that there is something to compare: the weaker one first. */
const NAMES = ["sim-small", "sim-large"];

/** Models that need no key, through a credential that is called `label`. */
export async function addSimulatedModels(slug: string, label: string): Promise<Model[]> {
  const path = { project: slug };
  const credential = await unwrap(
    api.POST("/api/v1/projects/{project}/credentials", {
      params: { path },
      body: { provider: PROVIDER, label, is_default: false },
    }),
  );
  const { created } = await unwrap(
    api.POST("/api/v1/projects/{project}/models/import", {
      params: { path },
      body: { credential_id: credential.id, provider_models: NAMES },
    }),
  );
  return NAMES.flatMap((name) => created.filter((model) => model.provider_model === name));
}

export function useAddSimulatedModels(slug: string) {
  return useRefreshingMutation(
    [keys.models(slug), keys.credentials(slug), keys.audit(slug)],
    (label: string) => addSimulatedModels(slug, label),
  );
}
