import { keys } from "./keys";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import type { Model } from "./types";

const PROVIDER = "sim";
/** Two models to compare, the weaker one first. */
const NAMES = ["sim-small", "sim-large"];

/** Adds models that need no key, with a credential named `label`. */
export async function addSimulatedModels(slug: string, label: string): Promise<Model[]> {
  const credential = await send("post", "/projects/{project}/credentials", {
    project: slug,
    body: { provider: PROVIDER, label, is_default: false },
  });
  const { created } = await send("post", "/projects/{project}/models/import", {
    project: slug,
    body: { credential_id: credential.id, provider_models: NAMES },
  });
  return NAMES.flatMap((name) => created.filter((model) => model.provider_model === name));
}

export function useAddSimulatedModels(slug: string) {
  return useRefreshingMutation(
    [keys.models(slug), keys.credentials(slug), keys.audit(slug)],
    (label: string) => addSimulatedModels(slug, label),
  );
}
